import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A page with only the provider's card fields and two buttons, under the same content security policy as the shop. */
export async function payingPage(scriptUrl: string, publishableKey: string) {
  const { origin } = new URL(scriptUrl)
  const policy = `default-src 'none'; script-src 'self' ${origin}; frame-src ${origin}; style-src 'self'; style-src-attr 'unsafe-inline'; base-uri 'none'; form-action 'self'`
  const server = createServer((request, response) => {
    const [path] = (request.url ?? '').split('?')
    response.setHeader('content-security-policy', policy)
    const [type, text] =
      path === '/page.js'
        ? ['text/javascript', script(publishableKey)]
        : path === '/page.css'
          ? ['text/css', STYLES]
          : ['text/html', markup(scriptUrl)]
    response.setHeader('content-type', `${type}; charset=utf-8`).end(text)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => void (server.closeAllConnections(), server.close()),
  }
}

const markup = (scriptUrl: string) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Till</title>
<link rel="stylesheet" href="/page.css">
<main>
<h1>Till</h1>
<form>
<label for="number">Number</label><div id="number" class="box"></div>
<label for="expiry">Expiry</label><div id="expiry" class="box"></div>
<label for="cvc">Code</label><div id="cvc" class="box"></div>
<button id="pay">Pay</button>
<button id="paypal" type="button">PayPal</button>
</form>
<p role="status"></p>
</main>
<script src="${scriptUrl}"></script>
<script src="/page.js"></script>
</html>`

const STYLES = `:root { color-scheme: light dark }
body { margin: 16px; background: light-dark(#fff, #111); color: light-dark(#111, #eee) }
button { color: inherit; background: transparent; border: 1px solid; min-block-size: 24px }
.box { border: 2px solid light-dark(#666, #999); padding: 8px; max-inline-size: 320px }
.box.StripeElement--invalid { border-color: rgb(200, 0, 0) }
.box.StripeElement--focus { border-color: rgb(0, 0, 200) }`

/** The intent's secret comes in the URL. The page shows the provider's response as it is. */
const script = (publishableKey: string) => `
const secret = new URLSearchParams(location.search).get('secret') ?? new URLSearchParams(location.search).get('payment_intent_client_secret')
const say = (text) => { document.querySelector('[role=status]').textContent = text }
const stripe = Stripe(${JSON.stringify(publishableKey)})
const elements = stripe.elements({ locale: 'en-GB' })
const style = { base: { color: getComputedStyle(document.body).color, backgroundColor: getComputedStyle(document.body).backgroundColor, fontSize: '18px', '::placeholder': { color: getComputedStyle(document.body).color } }, invalid: { color: 'rgb(200, 0, 0)' } }
const ready = []
window.states = {}
for (const [type, place] of [['cardNumber', 'number'], ['cardExpiry', 'expiry'], ['cardCvc', 'cvc']]) {
  const element = elements.create(type, { style })
  element.on('ready', () => { ready.push(type); if (ready.length === 3 && location.pathname !== '/back') say('ready') })
  element.on('change', (event) => { window.states[type] = event })
  element.mount('#' + place)
}
const told = ({ error, paymentIntent, setupIntent }) => say(error ? [error.type, error.code, error.decline_code, error.message].filter(Boolean).join(' | ') : (paymentIntent ?? setupIntent).status)
document.querySelector('form').addEventListener('submit', (event) => {
  event.preventDefault()
  const confirm = secret.startsWith('seti_') ? stripe.confirmCardSetup : stripe.confirmCardPayment
  confirm(secret, { payment_method: { card: elements.getElement('cardNumber'), billing_details: { name: 'Nell Hart' } } }).then(told)
})
document.querySelector('#paypal').addEventListener('click', () => {
  stripe.confirmPayPalPayment(secret, { return_url: location.origin + '/back' }).then(told)
})
if (location.pathname === '/back') stripe.retrievePaymentIntent(secret).then(told)
`
