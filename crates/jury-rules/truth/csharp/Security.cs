using System;
using System.IO;
using System.Net;
using System.Net.Http;
using System.Runtime.Serialization.Formatters.Binary;
using System.Security.Authentication;
using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;
using System.Xml;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;
using Microsoft.IdentityModel.Tokens;
using Newtonsoft.Json;

namespace Shop.Security;

public class Security
{
    private readonly ILogger<Security> _logger;

    public byte[] Legacy(byte[] data)
    {
        using var md5 = MD5.Create();
        return md5.ComputeHash(data);
    }

    public byte[] Current(byte[] data)
    {
        using var sha = SHA256.Create();
        return sha.ComputeHash(data);
    }

    public ICryptoTransform Old(byte[] key, byte[] iv)
    {
        var des = new DESCryptoServiceProvider();
        return des.CreateEncryptor(key, iv);
    }

    public ICryptoTransform Book(byte[] key)
    {
        var aes = Aes.Create();
        aes.Mode = CipherMode.ECB;
        aes.Key = key;
        return aes.CreateEncryptor();
    }

    public ICryptoTransform Chained(byte[] key)
    {
        var aes = Aes.Create();
        aes.Mode = CipherMode.CBC;
        aes.Key = key;
        return aes.CreateEncryptor();
    }

    public RSA Small() => RSA.Create(1024);

    public RSA Large() => RSA.Create(3072);

    public string ResetToken()
    {
        var random = new Random();
        return random.Next(100000, 999999).ToString();
    }

    public string ResetTokenSafe()
    {
        return RandomNumberGenerator.GetInt32(100000, 999999).ToString();
    }

    public int Dice() => new Random().Next(1, 7);

    public object Restore(Stream stream)
    {
        var formatter = new BinaryFormatter();
        return formatter.Deserialize(stream);
    }

    public Order Read(string json)
    {
        return JsonConvert.DeserializeObject<Order>(json);
    }

    public object ReadAny(string json)
    {
        var settings = new JsonSerializerSettings { TypeNameHandling = TypeNameHandling.All };
        return JsonConvert.DeserializeObject(json, settings);
    }

    public JsonSerializerSettings Plain()
    {
        return new JsonSerializerSettings { TypeNameHandling = TypeNameHandling.None };
    }

    public XmlReader Open(Stream stream)
    {
        var settings = new XmlReaderSettings();
        settings.DtdProcessing = DtdProcessing.Parse;
        settings.XmlResolver = new XmlUrlResolver();
        return XmlReader.Create(stream, settings);
    }

    public XmlReader OpenClosed(Stream stream)
    {
        var settings = new XmlReaderSettings { DtdProcessing = DtdProcessing.Prohibit, XmlResolver = null };
        return XmlReader.Create(stream, settings);
    }

    public HttpClient Blind()
    {
        var handler = new HttpClientHandler();
        handler.ServerCertificateCustomValidationCallback = (message, cert, chain, errors) => true;
        return new HttpClient(handler);
    }

    public HttpClient Pinned(string thumbprint)
    {
        var handler = new HttpClientHandler();
        handler.ServerCertificateCustomValidationCallback = (message, cert, chain, errors) => cert.Thumbprint == thumbprint;
        return new HttpClient(handler);
    }

    public void OldProtocol()
    {
        ServicePointManager.SecurityProtocol = SecurityProtocolType.Ssl3;
    }

    public void NewProtocol()
    {
        ServicePointManager.SecurityProtocol = SecurityProtocolType.Tls12 | SecurityProtocolType.Tls13;
    }

    public void Remember(HttpResponse response, string id)
    {
        response.Cookies.Append("session", id, new CookieOptions { HttpOnly = true, Secure = false });
    }

    public void RememberSafely(HttpResponse response, string id)
    {
        response.Cookies.Append("session", id, new CookieOptions { HttpOnly = true, Secure = true });
    }

    public TokenValidationParameters Loose()
    {
        return new TokenValidationParameters { RequireSignedTokens = false, ValidateIssuer = true };
    }

    public TokenValidationParameters Strict(SecurityKey key)
    {
        return new TokenValidationParameters { RequireSignedTokens = true, IssuerSigningKey = key };
    }

    public SymmetricSecurityKey BuiltIn()
    {
        return new SymmetricSecurityKey(Encoding.UTF8.GetBytes("this-is-my-signing-key-0001"));
    }

    public SymmetricSecurityKey Given(string key)
    {
        return new SymmetricSecurityKey(Encoding.UTF8.GetBytes(key));
    }

    public NetworkCredential Login()
    {
        return new NetworkCredential("mailer", "Winter2024!");
    }

    public NetworkCredential LoginFrom(IConfiguration configuration)
    {
        return new NetworkCredential("mailer", configuration["Mail:Password"]);
    }

    public void Audit(HttpRequest request)
    {
        _logger.LogInformation("agent " + request.Headers["User-Agent"]);
        _logger.LogInformation("agent {Agent}", request.Headers["User-Agent"].ToString().Replace("\n", ""));
    }

    public bool Matches(HttpRequest request)
    {
        return Regex.IsMatch(request.Query["title"], @"^(\w+\s?)+$");
    }

    public bool MatchesLinear(HttpRequest request)
    {
        return Regex.IsMatch(request.Query["title"], @"^[\w\s]{1,80}$");
    }
}
