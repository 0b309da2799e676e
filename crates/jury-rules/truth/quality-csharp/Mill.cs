using System;
using System.Collections.Generic;
using System.IO;
using System.Text;
using System.Threading.Tasks;

class Mill
{
    [ThreadStatic] private int turns;
    [ThreadStatic] private static int rounds;
    private readonly object gate = new object();

    DateTime Due(DateTime start)
    {
        return new DateTime(start.Year + 2, start.Month, start.Day);
    }

    DateTime Later(DateTime start)
    {
        return start.AddYears(2);
    }

    public async void Grind(int sacks)
    {
        await Turn(sacks);
    }

    public async Task GrindAll(int sacks)
    {
        await Turn(sacks);
    }

    void Start()
    {
        try
        {
            Open();
        }
        catch (IOException jam)
        {
            Note(jam);
            throw jam;
        }
        catch (Exception jam)
        {
            Note(jam);
            throw;
        }
    }

    int Weight(object load)
    {
        return (load as Sack).Weight;
    }

    int Heft(object load)
    {
        return load is Sack sack ? sack.Weight : 0;
    }

    Task Turn(int sacks)
    {
        if (sacks == 0) return null;
        return Task.CompletedTask;
    }

    void Hold()
    {
        lock (typeof(Mill)) { turns++; }
        lock (gate) { turns++; }
    }

    bool Full(string bin)
    {
        return bin != null & bin.Length > 4;
    }

    bool Filled(string bin)
    {
        return bin != null && bin.Length > 4;
    }

    void Check(int level)
    {
        if (level < 0) new ArgumentOutOfRangeException(nameof(level));
        if (level > 9) throw new ArgumentOutOfRangeException(nameof(level));
    }

    void Sift(List<int> grains)
    {
        foreach (var grain in grains)
        {
            if (grain < 2)
            {
                grains.Remove(grain);
            }
        }
        grains.RemoveAll(grain => grain < 2);
    }

    void Count(int[] stones)
    {
        for (int at = 0; at <= stones.Length; at++)
        {
            Note(stones[at]);
        }
        for (int at = 0; at < stones.Length; at++)
        {
            Note(stones[at]);
        }
        for (int at = 9; at > 0; at++) Note(at);
        for (int at = 9; at > 0; at--) Note(at);
    }

    string Ledger(string path)
    {
        var lines = new StreamReader(path);
        return lines.ReadLine();
    }

    string Book(string path)
    {
        using var lines = new StreamReader(path);
        return lines.ReadLine();
    }

    string Stamp(DateTime now)
    {
        return now.ToString("dd.mm.yyyy");
    }

    string Mark(DateTime now)
    {
        return now.ToString("dd.MM.yyyy");
    }

    void Clean(string flour)
    {
        flour.Trim();
        Note(flour.Trim());
        Note(new StringBuilder('-'));
        Note(new StringBuilder("-"));
    }

    bool Loaded(List<int> sacks) => sacks.Count >= 0;

    bool Laden(List<int> sacks) => sacks.Count > 0;

    string Name => Name;

    public override string ToString()
    {
        if (turns < 0) throw new InvalidOperationException();
        return "mill";
    }

    public override bool Equals(object other) => other is Mill;
}
