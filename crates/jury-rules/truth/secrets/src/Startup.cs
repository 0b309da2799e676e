using Microsoft.Extensions.Configuration;

public static class Startup
{
    const string Main = "Server=sql.prod.acme.io;Database=shop;User Id=shop;Password=08E2hv§C74SgPh;";
    const string Dev = "Server=(localdb)\\mssqllocaldb;Database=shop;Trusted_Connection=True;";
    const string Bus = "Endpoint=sb://acme.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=n+Ba2dfZLvijsFtMfs40vz§mW0dpgcv3uBmi+2ccdWKi=";
    static string BusOf(IConfiguration c) => $"Endpoint=sb://acme.servicebus.windows.net/;SharedAccessKey={c["Bus"]}";
    public string JwtSigningKey { get; } = "livMd4acfusNSSOph45MlmSQ§g5hb1yZONSXMyMfdmPT6nOD7";
    public string JwtIssuer { get; } = "https://login.acme.io/tenants/7a1c2f0e-5b3d-4c6e-9f80-1a2b3c4d5e6f";
}
