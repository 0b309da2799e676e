using System;
using System.IO;
using System.Web;

public class Jetty : IHttpHandler
{
    private const string Charts = "/srv/charts/";

    public void ProcessRequest(HttpContext context)
    {
        string sheet = context.Request.QueryString["sheet"];
        if (!sheet.StartsWith("..") && !sheet.StartsWith("/"))
        {
            context.Response.Write(File.ReadAllText(Charts + sheet));
        }
    }

    public void ProcessWhole(HttpContext context)
    {
        string sheet = Path.GetFullPath(Charts + context.Request.QueryString["sheet"]);
        if (sheet.StartsWith(Charts))
        {
            context.Response.Write(File.ReadAllText(sheet));
        }
    }

    public bool IsReusable
    {
        get { return false; }
    }
}
