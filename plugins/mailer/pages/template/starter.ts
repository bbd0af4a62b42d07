// A first mail in MJML, for templates without a body.

/** It greets by name, has a button, and the unsubscribe link that marketing mail needs. */
export const STARTER = `<mjml>
  <mj-head>
    <mj-attributes>
      <mj-all font-family="Helvetica, Arial, sans-serif" />
    </mj-attributes>
  </mj-head>
  <mj-body background-color="#f1f3f6">
    <mj-section background-color="#ffffff">
      <mj-column>
        <mj-text font-size="20px">Hello {{contact.fields.firstName}},</mj-text>
        <mj-text>Write what is new here.</mj-text>
        <mj-button href="https://example.com/" background-color="#0b6e8f">Read more</mj-button>
      </mj-column>
    </mj-section>
    <mj-section>
      <mj-column>
        <mj-text font-size="12px" color="#5b6474">
          <a href="{{unsubscribeUrl}}">Unsubscribe</a>
        </mj-text>
      </mj-column>
    </mj-section>
  </mj-body>
</mjml>
`
