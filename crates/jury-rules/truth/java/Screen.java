package slip;

import android.app.Activity;
import android.content.Intent;
import android.os.Bundle;
import android.webkit.WebView;

class Screen extends Activity {
  void open(WebView view, WebView plain) {
    view.getSettings().setJavaScriptEnabled(true);
    plain.getSettings().setJavaScriptEnabled(false);
    view.addJavascriptInterface(new Bridge(), "bridge");
  }

  void onCreate(Bundle state) {
    Intent next = getIntent().getParcelableExtra("next");
    startActivity(next);
  }

  void home() {
    startActivity(new Intent(this, Home.class));
  }
}
