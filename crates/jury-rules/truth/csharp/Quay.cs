using System;
using System.Data.SqlClient;
using System.DirectoryServices;
using System.Diagnostics;
using System.IO;
using System.Net;
using System.Security.Cryptography;
using System.Xml;
using Microsoft.AspNetCore.Mvc;

public class QuayController : Controller
{
    public IActionResult Find(string who, int price)
    {
        var db = new SqlConnection("Server=db;Database=" + who);
        new SqlConnection("Server=db;Database=quay");
        new SqlCommand("SELECT * FROM berths WHERE owner = '" + who + "'", db).ExecuteReader();
        new SqlCommand("SELECT * FROM berths WHERE owner = @who", db).ExecuteReader();
        string.Format(who, price);
        string.Format("{0}", who);
        Process.Start("cmd.exe", "/c dir " + who);
        System.IO.File.ReadAllText("/srv/" + who);
        System.IO.File.ReadAllText("/srv/" + Path.GetFileName(who));
        new DirectorySearcher("(uid=" + who + ")");
        WebRequest.Create(who);
        Type.GetType(who);
        return Redirect(who);
    }

    public IActionResult Write(XmlWriter writer, string note)
    {
        writer.WriteRaw(note);
        writer.WriteString(note);
        return Content("<b>" + note + "</b>", "text/html");
    }
}

public class Keeper
{
    public byte[] Seal(string word, byte[] salt)
    {
        MD5.Create();
        DES.Create();
        var aes = Aes.Create();
        aes.Mode = CipherMode.ECB;
        new Rfc2898DeriveBytes(word, new byte[] { 1, 2, 3, 4, 5, 6, 7, 8 }, 600000);
        new Rfc2898DeriveBytes(word, salt, 600000);
        new RSACryptoServiceProvider(1024);
        return null;
    }

    public object Read(Stream file)
    {
        return new System.Runtime.Serialization.Formatters.Binary.BinaryFormatter().Deserialize(file);
    }

    public void Tls()
    {
        ServicePointManager.ServerCertificateValidationCallback = (a, b, c, d) => true;
        ServicePointManager.SecurityProtocol = SecurityProtocolType.Tls;
        new DirectoryEntry("LDAP://quay", null, null, AuthenticationTypes.Anonymous);
        new DirectoryEntry("LDAP://quay", "desk", Word(), AuthenticationTypes.Secure);
    }

    public async Task Enter(string name, string word)
    {
        await signIn.PasswordSignInAsync(name, word, false, false);
        await signIn.PasswordSignInAsync(name, word, false, true);
    }
}

public class Names : SerializationBinder
{
    public override Type BindToType(string assembly, string name)
    {
        return Type.GetType(name + ", " + assembly);
    }
}

public class FewNames : SerializationBinder
{
    public override Type BindToType(string assembly, string name)
    {
        switch (name)
        {
            case "Ship": return typeof(Ship);
            default: return null;
        }
    }
}

public class Authorities
{
    public void Install(X509Certificate2 own)
    {
        var store = new X509Store(StoreName.Root, StoreLocation.CurrentUser);
        store.Open(OpenFlags.ReadWrite);
        store.Add(own);
    }

    public void Keep(X509Certificate2 own)
    {
        var store = new X509Store(StoreName.My, StoreLocation.CurrentUser);
        store.Open(OpenFlags.ReadWrite);
        store.Add(own);
    }
}
