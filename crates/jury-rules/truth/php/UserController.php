<?php

namespace App\Http\Controllers;

use App\Models\User;
use Illuminate\Http\Request;
use Illuminate\Support\Facades\DB;
use Illuminate\Support\Facades\Storage;

class UserController extends Controller
{
    public function index(Request $request)
    {
        $sort = $request->input('sort');
        return User::query()->orderByRaw($sort . ' desc')->get();
    }

    public function indexSafe(Request $request)
    {
        return User::query()->where('name', $request->input('name'))->orderBy('id')->get();
    }

    public function search(Request $request)
    {
        $term = $request->query('q');
        return DB::select("select * from users where name like '%$term%'");
    }

    public function searchSafe(Request $request)
    {
        return DB::select('select * from users where name like ?', ['%' . $request->query('q') . '%']);
    }

    public function raw(Request $request)
    {
        return User::whereRaw('age > ' . $request->get('age'))->count();
    }

    public function rawSafe(Request $request)
    {
        return User::whereRaw('age > ?', [$request->get('age')])->count();
    }

    public function store(Request $request)
    {
        return User::create($request->all());
    }

    public function storeSafe(Request $request)
    {
        return User::create($request->validated());
    }

    public function go(Request $request)
    {
        return redirect($request->input('next'));
    }

    public function goHome(Request $request)
    {
        return redirect('/home?tab=' . $request->input('tab'));
    }

    public function file(Request $request)
    {
        return response()->download(storage_path('docs/' . $request->input('name')));
    }

    public function fileSafe(Request $request)
    {
        return response()->download(storage_path('docs/' . basename($request->input('name'))));
    }
}
