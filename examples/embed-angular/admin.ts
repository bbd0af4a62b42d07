// An Angular admin UI with two screens; one of them is a Keelson page.
// With the Angular CLI this import is not needed: it compiles templates beforehand.
import '@angular/compiler'
import { Component, CUSTOM_ELEMENTS_SCHEMA, signal } from '@angular/core'
import { bootstrapApplication } from '@angular/platform-browser'

const keelson = document.documentElement.dataset['keelson'] ?? ''

@Component({
  selector: 'shop-admin',
  // Tags with a hyphen are custom elements.
  schemas: [CUSTOM_ELEMENTS_SCHEMA],
  template: `
    <header><strong>Shop admin</strong> <a href="/">Orders</a> <a href="/events">Events</a></header>
    <main>
      @if (path() === '/events') {
        <telemetry-dashboard-events
          [attr.api-base]="apiBase" [attr.sign-in]="signIn" (keelson-title)="follow($event)" />
      } @else {
        <h1>Orders</h1>
      }
    </main>`
})
class Admin {
  readonly path = signal(location.pathname)
  readonly apiBase = `${keelson}/telemetry`
  readonly signIn = `${keelson}/login`

  constructor() {
    addEventListener('popstate', () => this.path.set(location.pathname))
  }

  follow(event: CustomEvent<{ readonly title: string }>): void {
    document.title = `${event.detail.title} · Shop admin`
  }
}

await bootstrapApplication(Admin)
