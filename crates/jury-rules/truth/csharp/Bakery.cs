using System;
using System.Collections.Generic;
using System.Data;
using System.IO;
using System.IO.Compression;
using System.Linq;
using System.Net.Http;
using System.Net.Security;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.RegularExpressions;
using System.Threading.Tasks;
using Dapper;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Cors.Infrastructure;
using Microsoft.AspNetCore.Html;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Mvc;
using Microsoft.AspNetCore.Mvc.RazorPages;
using MongoDB.Bson;
using Newtonsoft.Json;

namespace Truth.Bakery;

public record LabelRequest(string Picture);

public static class Counter
{
    public static void Open(WebApplication app)
    {
        var oven = app.MapGroup("/oven");
        oven.MapGet("/glimpse", async (string camera, HttpClient http) =>
            Results.Text(await http.GetStringAsync(camera)));
        oven.MapGet("/heat/{shelf:int}", async (int shelf, HttpClient http) =>
            Results.Text(await http.GetStringAsync("https://oven.example/" + shelf)));
        oven.MapPost("/label", async (LabelRequest label, HttpClient http) =>
        {
            var picture = await http.GetByteArrayAsync(label.Picture);
            return Results.Bytes(picture);
        });
        oven.MapGet("/leave", (string door) => Results.Redirect(door));
        oven.MapGet("/enter", (string door) => Results.LocalRedirect(door));
        oven.MapGet("/sign", (string loaf) => Results.Content("<h2>" + loaf + "</h2>", "text/html"));
        oven.MapGet("/sign/plain", (string loaf, HtmlEncoder html) =>
            Results.Content("<h2>" + html.Encode(loaf) + "</h2>", "text/html"));
        oven.MapGet("/recipe", Recipe);
    }

    private static IResult Recipe(string card) => Results.Text(File.ReadAllText("/srv/recipes/" + card));

    private static IResult Menu(int day) => Results.Text(File.ReadAllText("/srv/menus/" + day));
}

public class OrderModel : PageModel
{
    [BindProperty(SupportsGet = true)]
    public string Wish { get; set; }

    [BindProperty]
    public int Loaves { get; set; }

    public IHtmlContent Note { get; private set; }

    public void OnGet()
    {
        Note = new HtmlString("<q>" + Wish + "</q>");
    }

    public void OnPost()
    {
        Note = new HtmlString("<q>" + Loaves + "</q>");
    }
}

public class Shelves : ControllerBase
{
    private const string Stock = "SELECT name, left FROM stock";

    internal enum Sort { Name, Left }

    private readonly IDbConnection _db;

    public object Named(string name) => _db.Query(string.Format("{0} WHERE name = '{1}'", Stock, name));

    internal object Sorted(Sort sort) => _db.Query($"{Stock} ORDER BY {sort}");

    public object Among(string[] names)
    {
        var marks = string.Join(",", names.Select((_, at) => "@n" + at));
        return _db.Query(Stock + " WHERE name IN (" + marks + ")");
    }

    public object ById(string text)
    {
        if (!Guid.TryParse(text, out var id)) return null;
        return _db.Query(Stock + " WHERE id = '" + id + "'");
    }

    public BsonDocument Crumbs(string flour) => BsonDocument.Parse("{ flour: '" + flour + "' }");

    public BsonDocument AllCrumbs() => BsonDocument.Parse("{ flour: 'rye' }");

    [HttpPut("shelf/{id:int}")]
    public async Task<IActionResult> Restock(int id, Shelf shelf)
    {
        await TryUpdateModelAsync(shelf);
        return NoContent();
    }

    [HttpPatch("shelf/{id:int}")]
    public async Task<IActionResult> Relabel(int id, Shelf shelf)
    {
        await TryUpdateModelAsync(shelf, "", s => s.Label);
        return NoContent();
    }

    public async Task Spill()
    {
        try
        {
            _db.Execute("DELETE FROM crumbs");
        }
        catch (DataException burnt)
        {
            await Response.WriteAsync(burnt.ToString());
        }
    }

    public async Task Sweep()
    {
        try
        {
            _db.Execute("DELETE FROM crumbs");
        }
        catch (DataException burnt)
        {
            _log.Error(burnt);
            await Response.WriteAsync("please come back later");
        }
    }

    public void Lend(HttpContext context)
    {
        context.Response.Headers["Access-Control-Allow-Origin"] = context.Request.Headers["Origin"];
    }

    public void LendTo(CorsPolicyBuilder policy)
    {
        policy.AllowCredentials()
            .SetIsOriginAllowed(_ => true);
    }

    public void LendToPartner(CorsPolicyBuilder policy)
    {
        policy.AllowCredentials()
            .SetIsOriginAllowed(origin => origin == "https://mill.example");
    }

    [HttpGet("grep")]
    public bool Grep(string pattern, string line) => Regex.IsMatch(line, pattern);

    [HttpGet("find")]
    public bool Find(string word, string line) => Regex.IsMatch(line, Regex.Escape(word));
}

public class Till
{
    private static readonly JsonSerializerSettings Any = new JsonSerializerSettings
    {
        Formatting = Formatting.Indented,
        TypeNameHandling = TypeNameHandling.Objects,
    };

    private static readonly JsonSerializerSettings Known = new JsonSerializerSettings
    {
        Formatting = Formatting.Indented,
        TypeNameHandling = TypeNameHandling.None,
    };

    public bool Genuine(byte[] key, byte[] receipt, string seal)
    {
        using var mac = new HMACSHA256(key);
        var expected = Convert.ToBase64String(mac.ComputeHash(receipt));
        return seal == expected;
    }

    public bool GenuineAtAnySpeed(byte[] key, byte[] receipt, byte[] seal)
    {
        return CryptographicOperations.FixedTimeEquals(HMACSHA256.HashData(key, receipt), seal);
    }

    public byte[] Quick(string phrase, byte[] salt) => new Rfc2898DeriveBytes(phrase, salt, 200).GetBytes(32);

    public byte[] Slow(string phrase, byte[] salt) =>
        Rfc2898DeriveBytes.Pbkdf2(phrase, salt, 600_000, HashAlgorithmName.SHA256, 32);

    public string ETag(byte[] page) => Convert.ToHexString(MD5.HashData(page));

    public string Kept(string phrase) => Convert.ToHexString(MD5.HashData(Encoding.UTF8.GetBytes(phrase)));

    public void Share(string path) =>
        File.SetUnixFileMode(path, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.OtherWrite);

    public void Keep(string path) =>
        File.SetUnixFileMode(path, UnixFileMode.UserRead | UnixFileMode.UserWrite);

    public void Draft(string total) => File.WriteAllText("/tmp/till.txt", total);

    public void DraftApart(string total) => File.WriteAllText(Path.GetTempFileName(), total);

    public void Unpack(ZipArchive archive, string folder)
    {
        foreach (var part in archive.Entries)
        {
            part.ExtractToFile(Path.Combine(folder, part.FullName));
        }
    }

    public void UnpackFlat(ZipArchive archive, string folder)
    {
        foreach (var entry in archive.Entries)
        {
            entry.ExtractToFile(Path.Combine(folder, entry.Name));
        }
    }

    private static bool Nod(object sender, X509Certificate certificate, X509Chain chain, SslPolicyErrors errors) => true;

    private static bool Look(object sender, X509Certificate certificate, X509Chain chain, SslPolicyErrors errors) =>
        errors == SslPolicyErrors.None;

    public bool Baker(string name, string password) => name == "baker" && password == "S0urd0ugh!";

    public bool Repeated(string password, string again) => password == again;
}
