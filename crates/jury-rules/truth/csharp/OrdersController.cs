using System.Data.SqlClient;
using Dapper;
using Microsoft.AspNetCore.Mvc;
using Microsoft.EntityFrameworkCore;

namespace Shop.Controllers;

[ApiController]
[Route("api/orders")]
public class OrdersController : ControllerBase
{
    private const string Table = "orders";
    private readonly ShopContext _db;
    private readonly SqlConnection _connection;

    public OrdersController(ShopContext db, SqlConnection connection)
    {
        _db = db;
        _connection = connection;
    }

    [HttpGet("{id}")]
    public IActionResult Get(string id)
    {
        using var command = new SqlCommand("SELECT * FROM orders WHERE id = '" + id + "'", _connection);
        return Ok(command.ExecuteScalar());
    }

    [HttpGet("{id}/bound")]
    public IActionResult GetBound(string id)
    {
        using var command = new SqlCommand("SELECT * FROM orders WHERE id = @id", _connection);
        command.Parameters.AddWithValue("@id", id);
        return Ok(command.ExecuteScalar());
    }

    [HttpGet("search2")]
    public IActionResult SearchInline([FromQuery] string term)
    {
        var found = _db.Orders.FromSqlRaw($"SELECT * FROM orders WHERE note LIKE '%{term}%'").ToList();
        var bound = _db.Orders.FromSqlInterpolated($"SELECT * FROM orders WHERE note = {term}").ToList();
        return Ok(found.Concat(bound));
    }

    public void Archive(int year)
    {
        var command = _connection.CreateCommand();
        command.CommandText = "DELETE FROM " + Table + " WHERE year = " + year;
        command.ExecuteNonQuery();
    }

    public void Rename(string name, string other)
    {
        var command = _connection.CreateCommand();
        command.CommandText = string.Format("UPDATE orders SET name = '{0}' WHERE name = '{1}'", name, other);
        command.ExecuteNonQuery();
    }

    public object ByCustomer(string customer)
    {
        return _connection.Query<Order>("SELECT * FROM orders WHERE customer = @customer", new { customer });
    }

    public object ByState(string state)
    {
        var sql = "SELECT * FROM orders";
        if (!string.IsNullOrEmpty(state))
        {
            sql += " WHERE state = '" + state + "'";
        }
        return _connection.Query<Order>(sql);
    }
}
