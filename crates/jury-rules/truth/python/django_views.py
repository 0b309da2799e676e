from django.contrib.auth.models import User
from django.db import connection, connections
from django.db.models.expressions import RawSQL
from django.http import HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import redirect, render
from django.utils.html import escape, format_html
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.safestring import mark_safe
from django.views import View

from .models import Product


def people(request):
    name = request.GET["name"]
    found = User.objects.raw("SELECT * FROM auth_user WHERE username = '%s'" % name)
    return render(request, "people.html", {"found": list(found)})


def people_safe(request):
    name = request.GET["name"]
    found = User.objects.raw("SELECT * FROM auth_user WHERE username = %s", [name])
    return render(request, "people.html", {"found": list(found)})


class Report(View):
    def get(self, request):
        since = self.request.GET.get("since")
        rows = Product.objects.extra(where=["created > '%s'" % since])
        return JsonResponse({"rows": list(rows.values())})

    def post(self, request):
        since = self.request.POST.get("since")
        rows = Product.objects.extra(where=["created > %s"], params=[since])
        return JsonResponse({"rows": list(rows.values())})


def totals(request):
    column = request.POST.get("column")
    with connections["reports"].cursor() as cur:
        cur.execute("SELECT sum({0}) FROM sales".format(column))
        return HttpResponse(str(cur.fetchone()[0]))


def totals_safe(request):
    column = request.POST.get("column")
    if column not in ("net", "gross"):
        return HttpResponse(status=400)
    with connection.cursor() as cur:
        cur.execute("SELECT sum({0}) FROM sales".format(column))
        return HttpResponse(str(cur.fetchone()[0]))


def hello(request):
    who = request.GET.get("who", "you")
    return HttpResponse("<h1>Hello %s</h1>" % who)


def hello_safe(request):
    who = request.GET.get("who", "you")
    return HttpResponse("<h1>Hello %s</h1>" % escape(who))


def badge(request):
    label = request.GET.get("label")
    html = "<span class='badge'>" + label + "</span>"
    return render(request, "badge.html", {"badge": mark_safe(html)})


def badge_safe(request):
    label = request.GET.get("label")
    html = format_html("<span class='badge'>{}</span>", label)
    return render(request, "badge.html", {"badge": html})


def after_login(request):
    target = request.GET.get("next")
    return redirect(target)


def after_login_safe(request):
    target = request.GET.get("next")
    if not url_has_allowed_host_and_scheme(target, allowed_hosts={request.get_host()}):
        target = "/"
    return redirect(target)


def leave(request):
    return HttpResponseRedirect(request.POST["return_to"])


def leave_safe(request):
    return HttpResponseRedirect("/goodbye/")


def create_product(request):
    import json
    data = json.loads(request.body)
    product = Product.objects.create(**data)
    return JsonResponse({"id": product.pk})


def create_product_safe(request):
    import json
    data = json.loads(request.body)
    product = Product.objects.create(name=data["name"], price=data["price"])
    return JsonResponse({"id": product.pk})


def weighted(request):
    w = request.GET.get("w")
    return Product.objects.annotate(v=RawSQL("price * " + w, ()))


def weighted_safe(request):
    w = request.GET.get("w")
    return Product.objects.annotate(v=RawSQL("price * %s", (w,)))
