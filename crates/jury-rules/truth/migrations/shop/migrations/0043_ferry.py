from django.db import migrations, models
from harbour.models import Ferry


def sign(apps, editor):
    Ferry.objects.filter(sign="").update(sign="?")
    Crew = apps.get_model("shop", "Crew")


class Migration(migrations.Migration):
    operations = [
        migrations.AddField("ferry", "flag", models.CharField(max_length=2, null=True)),
        migrations.RunPython(sign, migrations.RunPython.noop),
    ]
