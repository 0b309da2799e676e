using System.Data.SqlClient;
using System.Web;

class Capstan
{
    bool MayLogin(HttpCookie kept)
    {
        return kept.Value == "true";
    }

    bool Dark(HttpCookie kept)
    {
        return kept.Value == "true";
    }

    void Keep(HttpContext context, string text)
    {
        context.Response.Cookies["Password"].Value = text;
        context.Response.Cookies["Password"].Value = Protect(text);
    }

    SqlConnection Open()
    {
        return new SqlConnection("Server=db.harbour;Database=berths;Integrated Security=true");
    }

    SqlConnection OpenHidden()
    {
        return new SqlConnection("Server=db.harbour;Database=berths;Integrated Security=true;Encrypt=true");
    }
}
