using System.Diagnostics;
using System.DirectoryServices;
using System.IO;
using System.IO.Compression;
using System.Net.Http;
using System.Threading.Tasks;
using System.Xml;
using Microsoft.AspNetCore.Html;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Mvc;

namespace Ops;

public class ToolsController : Controller
{
    private static readonly HttpClient Client = new HttpClient();
    private readonly string _root = "/srv/files";

    public IActionResult Ping(string host)
    {
        var process = Process.Start("cmd.exe", "/c ping " + host);
        return Content(process.StandardOutput.ReadToEnd());
    }

    public IActionResult Uptime()
    {
        var process = Process.Start("/bin/sh", "-c uptime");
        return Content(process.StandardOutput.ReadToEnd());
    }

    public IActionResult Convert(string file)
    {
        var info = new ProcessStartInfo
        {
            FileName = "/bin/bash",
            Arguments = $"-c \"convert {file} out.png\"",
        };
        return Ok(Process.Start(info).Id);
    }

    public IActionResult Version(int level)
    {
        var info = new ProcessStartInfo("git") { Arguments = "log -n " + level };
        return Ok(Process.Start(info).Id);
    }

    [HttpGet]
    public IActionResult Download(string name)
    {
        var path = Path.Combine(_root, name);
        return Ok(System.IO.File.ReadAllText(path));
    }

    [HttpGet]
    public IActionResult DownloadNamed(string name)
    {
        var path = Path.Combine(_root, Path.GetFileName(name));
        return Ok(System.IO.File.ReadAllText(path));
    }

    [HttpPost]
    public async Task<IActionResult> Upload(IFormFile file)
    {
        using var target = new FileStream(Path.Combine(_root, file.FileName), FileMode.Create);
        await file.CopyToAsync(target);
        return Ok();
    }

    [HttpPost]
    public async Task<IActionResult> Avatar(IFormFile file)
    {
        using var target = new FileStream(Path.Combine(_root, Guid.NewGuid() + ".png"), FileMode.Create);
        await file.CopyToAsync(target);
        return Ok();
    }

    public void Unpack(ZipArchive archive, string folder)
    {
        foreach (ZipArchiveEntry entry in archive.Entries)
        {
            entry.ExtractToFile(Path.Combine(folder, entry.FullName));
        }
    }

    public void UnpackChecked(ZipArchive archive, string folder)
    {
        foreach (var entry in archive.Entries)
        {
            var target = Path.GetFullPath(Path.Combine(folder, entry.FullName));
            if (!target.StartsWith(folder, StringComparison.Ordinal))
            {
                throw new IOException("outside of the folder");
            }
            entry.ExtractToFile(target);
        }
    }

    public IActionResult Go(string returnUrl)
    {
        return Redirect(returnUrl);
    }

    public IActionResult GoLocal(string returnUrl)
    {
        if (Url.IsLocalUrl(returnUrl))
        {
            return Redirect(returnUrl);
        }
        return RedirectToAction("Index");
    }

    public async Task<IActionResult> Fetch()
    {
        string url = Request.Query["url"];
        var text = await Client.GetStringAsync(url);
        return Content(text);
    }

    public async Task<IActionResult> Rate(string currency)
    {
        var text = await Client.GetStringAsync("https://rates.example.com/v1/" + currency);
        return Content(text);
    }

    public IActionResult Hello(string name)
    {
        return Content("<h1>Hello " + name + "</h1>", "text/html");
    }

    public IActionResult HelloEncoded(string name)
    {
        return Content("<h1>Hello " + System.Net.WebUtility.HtmlEncode(name) + "</h1>", "text/html");
    }

    public IHtmlContent Badge()
    {
        return new HtmlString("<b>" + HttpContext.Request.Query["label"] + "</b>");
    }

    public IHtmlContent Plain()
    {
        return new HtmlString("<b>new</b>");
    }

    public SearchResult Find(string user)
    {
        var searcher = new DirectorySearcher("(&(objectClass=user)(cn=" + user + "))");
        return searcher.FindOne();
    }

    public SearchResult FindEncoded(string user)
    {
        var searcher = new DirectorySearcher();
        searcher.Filter = "(cn=" + Encoder.LdapFilterEncode(user) + ")";
        return searcher.FindOne();
    }

    public XmlNode Pick(XmlDocument document, string id)
    {
        return document.SelectSingleNode("//item[@id='" + id + "']");
    }

    public XmlNodeList All(XmlDocument document)
    {
        return document.SelectNodes("//item[@open='1']");
    }
}
