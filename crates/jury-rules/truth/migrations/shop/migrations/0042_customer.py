from django.db import migrations, models


def split_names(apps, schema_editor):
    customer = apps.get_model("shop", "Customer")
    for row in customer.objects.all():
        row.first, _, row.last = row.name.partition(" ")
        row.save()


class Migration(migrations.Migration):
    dependencies = [("shop", "0041_auto")]

    operations = [
        migrations.AddField("customer", "first", models.CharField(max_length=80, default="")),
        migrations.RunPython(split_names),
        migrations.RunPython(split_names, reverse_code=migrations.RunPython.noop),
        migrations.RemoveField("customer", "name"),
        migrations.RenameField("customer", "mail", "email"),
    ]
