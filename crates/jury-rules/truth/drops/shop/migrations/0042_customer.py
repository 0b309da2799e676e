from django.db import migrations


class Migration(migrations.Migration):
    operations = [
        migrations.RemoveField("customer", "name"),
        migrations.RemoveField(model_name="customer", name="supplier"),
    ]
