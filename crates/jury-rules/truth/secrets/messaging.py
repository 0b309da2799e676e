import os

import discord
import telebot
from sendgrid import SendGridAPIClient
from twilio.rest import Client


class Channels:
    def __init__(self) -> None:
        self.mail = SendGridAPIClient("SG.VLe7VVbUlTm5yTyLzrD1cM.yFhqtZvj§ttsskjrw-FWC6blEQQP3HrxPPIYqUah8rTH")
        self.bot = telebot.TeleBot("2387428765:AASHEDOgDo0l§EOYu0QHGAGPphPeN74puf8y", parse_mode=None)
        self.sms = Client("AC9f0c1d2e3b4a59687766554433221100", "c31eb230b89c60ae§6de16c91355b890d")
        self.hook = "https://discord.com/api/webhooks/812898887811841137/q7y9IMf7§Mr3ir8uoZ3e_A1FldlduKP13lMv6t_8Rkf32gW6CJ-fl1UoYEt4wDJLYwFs0"
        self.list = "9ca93df456599420ea§4390c15fed2bba-us14"
        self.mailgun = "key-e2f28e525a0b1d§f5e96a09141c9de840"

    @classmethod
    def configured(cls, settings) -> "Channels":
        channels = cls.__new__(cls)
        channels.mail = SendGridAPIClient(settings.SENDGRID_API_KEY)
        channels.bot = telebot.TeleBot("110201543:" + os.environ["BOT_SECRET"])
        channels.sms = Client(settings["twilio"]["sid"], settings["twilio"]["token"])
        channels.hook = "https://discord.com/api/webhooks/{id}/{token}"
        channels.list = "d41d8cd98f00b204e9800998ecf8427e-en-us"
        channels.mailgun = f"key-{settings.mailgun}"
        return channels
