import { withNoXsrfProtection, withXsrfConfiguration } from "@angular/common/http";

export const Page = ({ page }) => <WebView source={{ uri: page }} mixedContentMode="always" />;
export const OwnPage = ({ page }) => <WebView source={{ uri: page }} mixedContentMode="never" />;
export const open = [withNoXsrfProtection()];
export const kept = [withXsrfConfiguration({ cookieName: "X" })];
export class Note {
  draw() {
    this.renderer.setProperty(this.host.nativeElement, "innerHTML", this.note);
    this.renderer.setProperty(this.host.nativeElement, "textContent", this.note);
  }
}
