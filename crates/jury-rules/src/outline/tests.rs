use super::{TestCase, outline};

fn cases(path: &str, text: &str) -> Vec<TestCase> {
    outline(path, text).unwrap_or_else(|| panic!("{path} has an outline:\n{text}"))
}

/// Compares the live assertions of the only test of each text; `None` is a skipped one.
fn check<'t>(rows: impl Iterator<Item = (&'t str, &'t str, Option<usize>)>) {
    let mut wrong = Vec::new();
    for (path, text, expected) in rows {
        let tests: Vec<TestCase> = cases(path, text).into_iter().filter(|test| !test.is_suite).collect();
        let found: Vec<Option<usize>> = tests.iter().map(|test| (!test.is_skipped).then_some(test.asserts)).collect();
        if found != [expected] {
            wrong.push(format!("{path}: {found:?} instead of {expected:?}\n{text}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn assertions_are_counted_in_every_language() {
    let rows = [
        ("a.test.ts", "it('a', () => { expect(f()).toBe(1); expect(g()).toEqual({}); });", 2),
        ("a.test.ts", "it('a', async () => { await expect(f()).rejects.toThrow(); });", 1),
        ("a.test.ts", "test('a', () => { assert.equal(f(), 1); assert.ok(g()); });", 2),
        ("a.test.ts", "test('a', t => { t.is(f(), 1); t.log(1); });", 1),
        ("a.test.ts", "it('a', () => { x.should.equal(1); cy.get('a').should('be', 1); });", 2),
        (
            "a.test.ts",
            "function isFine(x) { expect(x).toBe(1); expect(x.y).toBe(2); }\nit('a', () => { isFine(f()); });",
            2,
        ),
        ("a.test.ts", "const isFine = (x) => { expect(x).toBe(1); };\nit('a', () => { isFine(f()); });", 1),
        ("a.test.ts", "it('a', () => { expectFine(f()); assertFine(g()); });", 2),
        ("a.test.ts", "it('a', () => { expect(2).toBe(add(1, 1)); expect(1).not.toBe(x); });", 2),
        ("a.test.ts", "it('a', () => { expect(f()).toMatchSnapshot(); });", 1),
        ("a.test.ts", "Deno.test({ name: 'a', fn() { assertEquals(f(), 1); } });", 1),
        ("a.test.ts", "it('a', () => f().then(x => { expect(x).toBe(1); }));", 1),
        ("a.test.ts", "it('a', () => { return expect(f()).resolves.toBe(1); });", 1),
        ("a.test.ts", "it('a', () => { if (x) return; expect(f()).toBe(1); });", 1),
        ("a.test.ts", "it('a', () => { try { f(); } catch (e) { expect(e).toBe(1); } });", 1),
        ("a.test.ts", "it.each([1, 2])('a %i', (x) => { expect(f(x)).toBe(1); });", 1),
        ("a.test-d.ts", "// @ts-expect-error wrong\nf(1);\n// @ts-expect-error wrong\nf(2);\n", 2),
        ("test_a.py", "def test_a():\n    assert f() == 1\n    with pytest.raises(ValueError):\n        g()\n", 2),
        ("test_a.py", "class TestA(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(f(), 1)\n", 1),
        ("test_a.py", "def check(x):\n    assert x\n    assert x.y\n\ndef test_a():\n    check(f())\n", 2),
        ("test_a.py", "@pytest.mark.parametrize('x', [1, 2])\ndef test_a(x):\n    assert f(x)\n", 1),
        ("test_a.py", "@pytest.mark.skipif(sys.platform == 'win32', reason='x')\ndef test_a():\n    assert f()\n", 1),
        ("test_a.py", "def test_a():\n    try:\n        assert f()\n    except ValueError:\n        pass\n", 1),
        (
            "a_test.go",
            "func TestA(t *testing.T) {\n\tif f() != 1 {\n\t\tt.Errorf(\"x\")\n\t}\n\trequire.NoError(t, err)\n\tassert.Equal(t, 1, f())\n}\n",
            3,
        ),
        (
            "a_test.go",
            "func TestA(t *testing.T) {\n\tfor _, tt := range tests {\n\t\tt.Run(tt.name, func(t *testing.T) {\n\t\t\tif tt.x {\n\t\t\t\tt.Fatal(1)\n\t\t\t}\n\t\t})\n\t}\n}\n",
            1,
        ),
        (
            "a_test.go",
            "func TestA(t *testing.T) {\n\tif testing.Short() {\n\t\tt.Skip(\"slow\")\n\t}\n\tassert.Equal(t, 1, f())\n}\n",
            1,
        ),
        ("src/a.rs", "#[test]\nfn a() {\n    assert_eq!(f(), 1);\n    assert!(g());\n}\n", 2),
        ("src/a.rs", "#[test]\n#[should_panic(expected = \"x\")]\nfn a() {\n    f();\n}\n", 1),
        (
            "src/a.rs",
            "fn same(x: u8) {\n    assert_eq!(x, 1);\n}\n#[tokio::test]\nasync fn a() {\n    same(f());\n}\n",
            1,
        ),
        (
            "ATest.java",
            "class ATest {\n  @Test\n  void a() {\n    assertEquals(1, f());\n    assertThrows(E.class, () -> g());\n  }\n}\n",
            2,
        ),
        (
            "ATests.cs",
            "class A {\n  [Fact]\n  public void B() {\n    Assert.Equal(1, F());\n    x.Should().Be(1);\n  }\n}\n",
            2,
        ),
        (
            "a_spec.rb",
            "describe 'a' do\n  it 'b' do\n    expect(f).to eq(1)\n    expect { g }.to raise_error\n  end\nend\n",
            2,
        ),
        ("a_test.rb", "class A < T\n  def test_a\n    assert_equal 1, f\n  end\nend\n", 1),
        (
            "ATest.php",
            "<?php\nclass ATest extends TestCase {\n  public function testA() {\n    $this->assertSame(1, f());\n    $this->expectException(E::class);\n  }\n}\n",
            2,
        ),
    ];
    check(rows.into_iter().map(|(path, text, number)| (path, text, Some(number))));
}

#[test]
fn a_test_that_cannot_fail_has_no_assertion() {
    let rows = [
        ("a.test.ts", "it('a', () => { return; expect(f()).toBe(1); });"),
        ("a.test.ts", "it('a', () => { if (true) { return; } expect(f()).toBe(1); });"),
        ("a.test.ts", "it('a', () => { if (false) { expect(f()).toBe(1); } });"),
        ("a.test.ts", "it('a', () => { process.exit(0); expect(f()).toBe(1); });"),
        ("a.test.ts", "it('a', () => { try { expect(f()).toBe(1); } catch {} });"),
        ("a.test.ts", "it('a', () => { try { expect(f()).toBe(1); } catch (e) { console.log(e); } });"),
        ("a.test.ts", "it('a', () => { expect(true).toBe(true); });"),
        ("a.test.ts", "it('a', () => { const x = f(); expect(x).toBe(x); });"),
        ("a.test.ts", "it('a', () => { for (const x of []) { expect(f(x)).toBe(1); } });"),
        ("a.test.ts", "it('a', () => { f(); });"),
        ("test_a.py", "def test_a():\n    return\n    assert f()\n"),
        ("test_a.py", "def test_a():\n    if False:\n        assert f()\n"),
        ("test_a.py", "def test_a():\n    assert True\n"),
        ("test_a.py", "def test_a():\n    assert 1 == 1\n"),
        ("test_a.py", "def test_a():\n    try:\n        assert f()\n    except Exception:\n        pass\n"),
        ("test_a.py", "def test_a():\n    try:\n        assert f()\n    except:\n        print(1)\n"),
        ("test_a.py", "def check(x):\n    return x\n\ndef test_a():\n    check(f())\n"),
        ("a_test.go", "func TestA(t *testing.T) {\n\treturn\n\tassert.Equal(t, 1, f())\n}\n"),
        ("src/a.rs", "#[test]\nfn a() {\n    return;\n    assert_eq!(f(), 1);\n}\n"),
        ("src/a.rs", "#[test]\nfn a() {\n    assert!(true);\n}\n"),
        (
            "ATest.java",
            "class ATest {\n  @Test\n  void a() {\n    if (true) return;\n    assertEquals(1, f());\n  }\n}\n",
        ),
        ("ATests.cs", "class A {\n  [Fact]\n  public void B() {\n    return;\n    Assert.Equal(1, F());\n  }\n}\n"),
        ("a_spec.rb", "it 'b' do\n  return\n  expect(f).to eq(1)\nend\n"),
        (
            "ATest.php",
            "<?php\nclass ATest extends TestCase {\n  public function testA() {\n    return;\n    $this->assertSame(1, f());\n  }\n}\n",
        ),
    ];
    check(rows.into_iter().map(|(path, text)| (path, text, Some(0))));
}

#[test]
fn a_check_whose_failure_counts_for_nothing_is_none() {
    let rows = [
        ("a.test.ts", "it('a', () => { setTimeout(() => expect(f()).toBe(1), 0); });", 0),
        ("a.test.ts", "it('a', () => { f().then((x) => { expect(x).toBe(1); }); });", 0),
        ("a.test.ts", "it('a', async () => { f().then((x) => { expect(x).toBe(1); }).catch(() => {}); });", 0),
        ("a.test.ts", "it('a', () => { if (x && false) { expect(f()).toBe(1); } });", 0),
        ("a.test.ts", "it('a', () => { false && expect(f()).toBe(1); });", 0),
        ("a.test.ts", "it('a', () => { expect(f() === 1 || true).toBeTruthy(); });", 0),
        ("a.test.ts", "const expect = (x) => ({ toBe() {} });\nit('a', () => { expect(f()).toBe(1); });", 0),
        ("a.test.ts", "it('a', () => { expect.assertions(0); f(); });", 0),
        ("test_a.py", "def test_a():\n    with contextlib.suppress(AssertionError):\n        assert f()\n", 0),
        ("test_a.py", "def test_a():\n    if False and x:\n        assert f()\n", 0),
        (
            "a_test.go",
            "func TestA(t *testing.T) {\n\tif testing.Short() || true {\n\t\treturn\n\t}\n\tassert.Equal(t, 1, f())\n}\n",
            0,
        ),
        ("a_spec.rb", "it 'b' do\n  expect(f).to eq(1) rescue nil\nend\n", 0),
        ("src/a.rs", "#[test]\nfn a() {\n    let _ = std::panic::catch_unwind(|| assert_eq!(f(), 1));\n}\n", 0),
        ("src/a.rs", "#[test]\nfn a() {\n    assert!(f(1, 2) == 1 || true, \"why\");\n}\n", 0),
        ("ATests.cs", "class A {\n  [Fact]\n  public void B() {\n    Assert.True(true);\n  }\n}\n", 0),
        (
            "ATest.php",
            "<?php\nclass ATest extends TestCase {\n  public function testA() {\n    $this->expectNotToPerformAssertions();\n    f();\n  }\n}\n",
            0,
        ),
        // These wait, or fail all the same.
        ("a.test.ts", "it('a', async () => { await f().then((x) => { expect(x).toBe(1); }); });", 1),
        ("a.test.ts", "it('a', (done) => { setTimeout(() => { expect(f()).toBe(1); done(); }, 0); });", 1),
        (
            "a.test.ts",
            "it('a', () => { setTimeout(() => { expect(f()).toBe(1); }, 9); vi.advanceTimersByTime(9); });",
            1,
        ),
        ("a.test.ts", "it('a', () => { cy.get('a').then((x) => { expect(x).toBe(1); }); });", 1),
        ("a.test.ts", "it('a', () => { expect(x || 0).toBe(1); a && expect(b).toBe(2); });", 2),
        ("a.test.ts", "const expect = (x) => { if (!x) throw new Error('x'); };\nit('a', () => { expect(f()); });", 1),
        ("test_a.py", "def test_a():\n    with contextlib.suppress(OSError):\n        f()\n    assert g()\n", 1),
        ("src/a.rs", "#[test]\nfn a() {\n    assert!(std::panic::catch_unwind(|| f()).is_err());\n}\n", 1),
        (
            "ATest.java",
            "class ATest {\n  @Test\n  void a() {\n    assumeTrue(isLinux());\n    assertEquals(1, f());\n  }\n}\n",
            1,
        ),
    ];
    check(rows.into_iter().map(|(path, text, number)| (path, text, Some(number))));
}

#[test]
fn a_test_that_passes_only_if_it_fails_is_known() {
    for (path, text, is_inverted) in [
        ("a.test.ts", "it.fails('a', () => { expect(f()).toBe(1); });", true),
        ("a.test.ts", "it('a', () => { expect(f()).toBe(1); });", false),
        (
            "test_a.py",
            "class TestA(TestCase):\n    @unittest.expectedFailure\n    def test_a(self):\n        self.assertEqual(f(), 1)\n",
            true,
        ),
        ("src/a.rs", "#[test]\n#[should_panic]\nfn a() {\n    assert_eq!(f(), 1);\n}\n", true),
        ("src/a.rs", "#[test]\n#[should_panic]\nfn a() {\n    f(0);\n}\n", false),
    ] {
        let tests = cases(path, text);
        assert_eq!(tests.last().map(|test| test.is_inverted), Some(is_inverted), "{path}: {text}");
    }
}

#[test]
fn functions_count_where_something_calls_them() {
    let rows = [
        // A handler of the test's own application, and a function that is passed on.
        (
            "test_a.py",
            "def test_a(app, client):\n    @app.route('/')\n    def index():\n        assert f()\n    client.get('/')\n",
            1,
        ),
        (
            "test_a.py",
            "def test_a():\n    app = make()\n    @app.get('/')\n    def test():\n        assert f()\n    app.run()\n",
            1,
        ),
        ("test_a.py", "def test_a():\n    def check(x):\n        assert x\n    run(check)\n", 1),
        ("test_a.py", "def test_a():\n    def check(x):\n        assert x\n    check(f())\n    check(g())\n", 2),
        ("a.test.ts", "it('a', () => { const check = (x) => { expect(x).toBe(1); }; return f().then(check); });", 1),
        ("a.test.ts", "it('a', () => { return f().then(check); function check(x) { expect(x).toBe(1); } });", 1),
        (
            "a.test.ts",
            "describe('s', () => { function check(x) { expect(x).toBe(1); } it('a', () => { check(f()); }); });",
            1,
        ),
        ("a.test.ts", "class Page { shows(x) { expect(x).toBe(1); } }\nit('a', () => { page.shows(f()); });", 1),
        ("a_test.go", "func check(t *testing.T) {\n\tt.Fatal(1)\n}\nfunc TestA(t *testing.T) {\n\tcheck(t)\n}\n", 1),
        // Nothing calls these.
        ("test_a.py", "def test_a():\n    def check(x):\n        assert x\n    f()\n", 0),
        ("test_a.py", "def test_a():\n    @functools.cache\n    def check(x):\n        assert x\n    f()\n", 0),
        ("test_a.py", "def test_a():\n    def test_b(x):\n        assert x\n    f()\n", 0),
        ("a.test.ts", "it('a', () => { const check = (x) => { expect(x).toBe(1); }; f(); });", 0),
        ("a.test.ts", "it('a', () => { const check = (x) => { expect(x).toBe(check); }; f(); });", 0),
        // A method of something else has the name by chance.
        ("test_a.py", "def get(x):\n    assert x\n\ndef test_a(client):\n    client.get('/')\n", 0),
        ("a.test.ts", "function get(x) { expect(x).toBe(1); }\nit('a', () => { client.get('/'); });", 0),
    ];
    check(rows.into_iter().map(|(path, text, number)| (path, text, Some(number))));
    let two = "def test_a(app):\n    def get():\n        assert f()\n    get()\n\ndef test_b(app):\n    get()\n";
    let found: Vec<usize> = cases("test_a.py", two).iter().map(|test| test.asserts).collect();
    assert_eq!(found, [1, 0], "a function of another test is another function");
}

#[test]
fn a_test_that_does_not_run_is_skipped() {
    let rows = [
        ("a.test.ts", "it.skip('a', () => { expect(f()).toBe(1); });"),
        ("a.test.ts", "xit('a', () => { expect(f()).toBe(1); });"),
        ("a.test.ts", "test.todo('a');"),
        ("a.test.ts", "describe.skip('s', () => { it('a', () => { expect(f()).toBe(1); }); });"),
        ("a.test.ts", "describe('s', () => { return; it('a', () => { expect(f()).toBe(1); }); });"),
        ("a.test.ts", "if (false) { it('a', () => { expect(f()).toBe(1); }); }"),
        ("a.test.ts", "test('a', { skip: true }, () => { expect(f()).toBe(1); });"),
        ("a.test.ts", "Deno.test({ name: 'a', ignore: true, fn() { assertEquals(f(), 1); } });"),
        ("a.test.ts", "it.each([])('a', (x) => { expect(f(x)).toBe(1); });"),
        ("a.test.ts", "it('a', function () { this.skip(); expect(f()).toBe(1); });"),
        ("test_a.py", "@pytest.mark.skip\ndef test_a():\n    assert f()\n"),
        ("test_a.py", "@pytest.mark.skipif(True, reason='x')\ndef test_a():\n    assert f()\n"),
        ("test_a.py", "@unittest.skip('x')\nclass TestA:\n    def test_a(self):\n        assert f()\n"),
        ("test_a.py", "def test_a():\n    pytest.skip('x')\n    assert f()\n"),
        ("test_a.py", "pytestmark = pytest.mark.skip\ndef test_a():\n    assert f()\n"),
        ("test_a.py", "@pytest.mark.parametrize('x', [])\ndef test_a(x):\n    assert f(x)\n"),
        ("a_test.go", "func TestA(t *testing.T) {\n\tt.Skip(\"x\")\n\tassert.Equal(t, 1, f())\n}\n"),
        ("a_test.go", "//go:build ignore\n\npackage a\n\nfunc TestA(t *testing.T) {\n\tassert.Equal(t, 1, f())\n}\n"),
        ("src/a.rs", "#[test]\n#[cfg(never)]\nfn a() {\n    assert_eq!(f(), 1);\n}\n"),
        ("src/a.rs", "#[cfg(never)]\nmod tests {\n    #[test]\n    fn a() {\n        assert_eq!(f(), 1);\n    }\n}\n"),
        (
            "ATest.java",
            "class ATest {\n  @Test\n  void a() {\n    assumeTrue(false);\n    assertEquals(1, f());\n  }\n}\n",
        ),
        (
            "ATest.java",
            "class ATest {\n  @BeforeEach\n  void prepare() {\n    assumeTrue(false);\n  }\n  @Test\n  void a() {\n    assertEquals(1, f());\n  }\n}\n",
        ),
        (
            "test_a.py",
            "class TestA(TestCase):\n    def setUp(self):\n        self.skipTest('x')\n    def test_a(self):\n        self.assertEqual(f(), 1)\n",
        ),
        ("a_spec.rb", "it 'b', skip: true do\n  expect(f).to eq(1)\nend\n"),
        ("a_spec.rb", "it 'b', :skip do\n  expect(f).to eq(1)\nend\n"),
        ("a_spec.rb", "it 'b' do\n  skip\n  expect(f).to eq(1)\nend\n"),
        ("src/a.rs", "#[test]\n#[ignore]\nfn a() {\n    assert_eq!(f(), 1);\n}\n"),
        ("ATest.java", "class ATest {\n  @Test\n  @Disabled(\"x\")\n  void a() {\n    assertEquals(1, f());\n  }\n}\n"),
        ("ATests.cs", "class A {\n  [Fact(Skip = \"x\")]\n  public void B() {\n    Assert.Equal(1, F());\n  }\n}\n"),
        ("a_spec.rb", "xit 'b' do\n  expect(f).to eq(1)\nend\n"),
        (
            "ATest.php",
            "<?php\nclass ATest extends TestCase {\n  public function testA() {\n    $this->markTestSkipped('x');\n    $this->assertSame(1, f());\n  }\n}\n",
        ),
    ];
    check(rows.into_iter().map(|(path, text)| (path, text, None)));
}

#[test]
fn the_runner_of_go_counts_if_its_result_ends_the_program() {
    let runner = |body: &str| {
        let text = format!("package a\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\n{body}\n");
        let tests = cases("a_test.go", &text);
        let main = tests.iter().find(|test| test.name == "TestMain").expect("it has a runner").clone();
        assert!(main.is_runner);
        main.asserts
    };
    for body in [
        "func TestMain(m *testing.M) {\n\tos.Exit(m.Run())\n}",
        "func TestMain(m *testing.M) {\n\tsetup()\n\tm.Run()\n}",
        "func TestMain(m *testing.M) {\n\tcode := m.Run()\n\tdown()\n\tos.Exit(code)\n}",
        "func TestMain(m *testing.M) {\n\tif os.Getenv(\"HELPER\") == \"1\" {\n\t\thelp()\n\t\tos.Exit(0)\n\t}\n\tos.Exit(m.Run())\n}",
        "func TestMain(m *testing.M) {\n\tgoleak.VerifyTestMain(m)\n}",
        "func TestMain(m *testing.M) {\n\tos.Exit(run(m))\n}\nfunc run(m *testing.M) int {\n\tdefer down()\n\treturn m.Run()\n}",
        "func TestMain(m *testing.M) {\n\tif code := m.Run(); code != 0 {\n\t\tos.Exit(code)\n\t}\n\tos.Exit(0)\n}",
        "func TestMain(m *testing.M) {\n\tvar code int\n\tfunc() {\n\t\tdefer down()\n\t\tcode = m.Run()\n\t}()\n\tos.Exit(code)\n}",
        "func TestMain(m *testing.M) {\n\tvar code = 1\n\tdefer func() { os.Exit(code) }()\n\tcode = m.Run()\n}",
    ] {
        assert_eq!(runner(body), 1, "{body}");
    }
    for body in [
        "func TestMain(m *testing.M) {\n\tos.Exit(0)\n}",
        "func TestMain(m *testing.M) {\n}",
        "func TestMain(m *testing.M) {\n\tm.Run()\n\tos.Exit(0)\n}",
        "func TestMain(m *testing.M) {\n\tcode := m.Run()\n\tcode = 0\n\tos.Exit(code)\n}",
        "func TestMain(m *testing.M) {\n\t_ = m.Run\n\tos.Exit(len(os.Args) - len(os.Args))\n}",
        "func TestMain(m *testing.M) {\n\tdefer os.Exit(0)\n\tm.Run()\n}",
        "func TestMain(m *testing.M) {\n\tos.Exit(run(m))\n}\nfunc run(m *testing.M) int {\n\tm.Run()\n\treturn 0\n}",
        "func TestMain(m *testing.M) {\n\tif true {\n\t\tos.Exit(0)\n\t}\n\tos.Exit(m.Run())\n}",
        "func TestMain(m *testing.M) {\n\tos.Exit(0)\n\tos.Exit(m.Run())\n}",
    ] {
        assert_eq!(runner(body), 0, "{body}");
    }
}

#[test]
fn a_condition_of_any_name_leaves_a_test_and_a_constant_does_not() {
    let body = "('a', () => { expect(f()).toBe(1); });";
    let rows = [
        ("test.skipIf(isBundledDev)", Some(1)),
        ("it.skipIf(isServe && !process.env.CI)", Some(1)),
        ("test.runIf(Number(process.versions.node.split('.')[0]) > 20)", Some(1)),
        ("test.skipIf(false)", Some(1)),
        ("test.runIf(true)", Some(1)),
        ("test.skipIf(!true)", Some(1)),
        ("test.skipIf(true)", None),
        ("test.runIf(false)", None),
        ("test.skipIf(1 < 2)", None),
        ("test.skipIf('always')", None),
    ];
    let texts: Vec<(String, Option<usize>)> = rows.map(|(head, expected)| (format!("{head}{body}"), expected)).into();
    check(texts.iter().map(|(text, expected)| ("a.test.ts", text.as_str(), *expected)));
    let never = "const never = true;\ntest.skipIf(never)('a', () => { expect(f()).toBe(1); });";
    let by_system =
        "const isWindows = process.platform === 'win32';\ntest.skipIf(isWindows)('a', () => { expect(f()).toBe(1); });";
    check([("a.test.ts", never, None), ("a.test.ts", by_system, Some(1))].into_iter());
}
