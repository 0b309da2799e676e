class GuestForm(ModelForm):
    class Meta:
        model = Guest
        fields = "__all__"
class RoomForm(ModelForm):
    class Meta:
        model = Room
        fields = ("number", "floor")
