using System.Diagnostics;
using System.Net;
using System.Net.Http;
using System.Security.Cryptography;
using Microsoft.AspNetCore.Mvc;

public class WorkshopController : Controller
{
    [HttpPost]
    public IActionResult Build(Bench bench)
    {
        return View(bench);
    }

    [HttpPost, ValidateAntiForgeryToken]
    public IActionResult BuildChecked(Bench bench)
    {
        return View(bench);
    }
}

public class Suppliers
{
    private readonly string _catalogue = "https://wood.example.com";

    public string Catalogue(string address)
    {
        using var client = new WebClient();
        return client.DownloadString(address);
    }

    public string CatalogueOf(string page)
    {
        using var client = new WebClient();
        return client.DownloadString(_catalogue + "/" + page);
    }

    public void Saw(string program)
    {
        var saw = Process.Start(program);
    }

    public void SawHere(string plank)
    {
        var saw = Process.Start("saw", new[] { plank });
    }

    public byte[] Lock(RSA key, byte[] plan)
    {
        return key.Encrypt(plan, RSAEncryptionPadding.Pkcs1);
    }

    public byte[] LockWell(RSA key, byte[] plan)
    {
        return key.Encrypt(plan, RSAEncryptionPadding.OaepSHA512);
    }

    public void Listen(HttpListener listener)
    {
        listener.Prefixes.Add("http://+:9000/bench/");
    }

    public void ListenHere(HttpListener listener)
    {
        listener.Prefixes.Add("http://127.0.0.1:9000/bench/");
    }

    public void Show(IApplicationBuilder app, IWebHostEnvironment env)
    {
        if (!env.IsDevelopment())
        {
            app.UseDeveloperExceptionPage();
        }
    }

    public void ShowDevelopers(IApplicationBuilder app, IWebHostEnvironment env)
    {
        if (env.IsDevelopment())
        {
            app.UseDeveloperExceptionPage();
        }
    }

    public bool IsOurs(X509Certificate2 cert)
    {
        return cert.Subject == "CN=bench";
    }

    public bool IsSurelyOurs(X509Certificate2 cert)
    {
        return cert.Thumbprint == "0badc0de";
    }
}
