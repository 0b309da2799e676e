using System;
using System.Web;
using Microsoft.AspNetCore.Mvc;

public class PierController : Controller
{
    public IActionResult Enter()
    {
        Check(Request.Query["password"]);
        Check(Request.Form["password"]);
        return Ok();
    }

    private bool Ours(Uri to)
    {
        return to.Host.EndsWith("pier.org");
    }

    private bool OursOnly(Uri to)
    {
        return to.Host.EndsWith(".pier.org");
    }
}

public class Desk : System.Web.UI.Page
{
    public void Greet(string token)
    {
        var plain = new HttpCookie("sid", token);
        Response.Cookies.Add(plain);
    }

    public void GreetSafely(string token)
    {
        var kept = new HttpCookie("sid", token) { Secure = true, HttpOnly = true };
        Response.Cookies.Add(kept);
    }
}
