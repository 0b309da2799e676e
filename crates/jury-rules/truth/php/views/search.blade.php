<p>No piece is called {!! request('title') !!}.</p>
<p>No piece is called {{ request('title') }}.</p>
