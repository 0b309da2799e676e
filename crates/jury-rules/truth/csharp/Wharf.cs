using System;
using System.Data;
using System.Data.SqlClient;
using System.IO;
using System.IO.Compression;
using System.Net.Http;
using System.Reflection;
using System.Text.RegularExpressions;
using System.Web;
using System.Web.Script.Serialization;
using System.Xml;
using System.Xml.XPath;
using System.Xml.Xsl;
using Dapper;
using Microsoft.AspNetCore.Html;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Mvc;
using Microsoft.EntityFrameworkCore;
using Microsoft.Extensions.Logging;
using MongoDB.Bson;
using Newtonsoft.Json;
using Npgsql;

[ApiController]
public class WharfController : ControllerBase
{
    private readonly WharfContext db;
    private readonly IDbConnection connection;
    private readonly ILogger<WharfController> log;
    private readonly IHttpClientFactory clients;

    [HttpGet("find")]
    public async Task<IActionResult> Find([FromQuery] string owner, [FromQuery] int size)
    {
        db.Ships.FromSqlRaw("SELECT * FROM Ships WHERE Owner = '" + owner + "'").ToList();
        db.Ships.FromSqlRaw("SELECT * FROM Ships WHERE Owner = {0}", owner).ToList();
        db.Ships.FromSqlInterpolated($"SELECT * FROM Ships WHERE Owner = {owner}").ToList();
        db.Database.ExecuteSqlRaw($"DELETE FROM Ships WHERE Owner = '{owner}'");
        connection.Query($"SELECT * FROM Ships WHERE Owner = '{owner}'");
        connection.Query("SELECT * FROM Ships WHERE Owner = @owner", new { owner });
        connection.Query("SELECT * FROM Ships WHERE Size = " + size);
        new NpgsqlCommand(string.Format("SELECT * FROM Ships WHERE Owner = '{0}'", owner));
        new SqlDataAdapter("SELECT * FROM Ships WHERE Owner = '" + owner + "'", "x");
        log.LogInformation("asked " + owner);
        var page = await clients.CreateClient().GetStringAsync(owner);
        var own = await clients.CreateClient().GetStringAsync("https://api.wharf.example/" + owner);
        return PhysicalFile(Path.Combine("/srv/wharf", owner), "text/plain");
    }

    [HttpPost("up")]
    public async Task<IActionResult> Up(IFormFile file, string to)
    {
        using var plain = System.IO.File.Create("/srv/wharf/" + file.FileName);
        using var named = System.IO.File.Create("/srv/wharf/" + Path.GetFileName(file.FileName));
        Response.Redirect(to);
        if (Url.IsLocalUrl(to)) return Redirect(to);
        Response.Cookies.Append("sid", to, new CookieOptions { HttpOnly = false });
        Response.Cookies.Append("sid", to, new CookieOptions { HttpOnly = true, Secure = true });
        new HtmlString("<b>" + to + "</b>");
        Response.Headers["Access-Control-Allow-Origin"] = "*";
        new Regex("^(a+)+$");
        Assembly.LoadFrom(to);
        return Ok();
    }
}

public class Reader
{
    public object Read(string text, Stream stream)
    {
        JsonConvert.DeserializeObject(text, new JsonSerializerSettings { TypeNameHandling = TypeNameHandling.All });
        JsonConvert.DeserializeObject<Ship>(text);
        new JavaScriptSerializer(new SimpleTypeResolver()).DeserializeObject(text);
        new LosFormatter().Deserialize(stream);
        var settings = new XmlReaderSettings { DtdProcessing = DtdProcessing.Parse };
        var closed = new XmlReaderSettings { DtdProcessing = DtdProcessing.Prohibit };
        new XslCompiledTransform().Load("x.xsl", new XsltSettings(true, true), null);
        return null;
    }

    public void Unpack(ZipArchive archive, string to)
    {
        foreach (ZipArchiveEntry entry in archive.Entries)
        {
            entry.ExtractToFile(Path.Combine(to, entry.FullName));
        }
    }

    public void Find(XPathNavigator page, HttpRequest request)
    {
        page.Select("//ship[@name='" + request.Query["name"] + "']");
        page.Select("//ship");
        BsonDocument.Parse("{ name: '" + request.Query["name"] + "' }");
    }
}
