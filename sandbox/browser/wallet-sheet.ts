import type { Envelope, WalletChoice } from './protocol.ts'
import { stored } from './stored.ts'

/** A wallet's sheet: the buyer approves with one of the test cards, or closes it. `localStorage.walletEmail` is theirs. */
const sheetQuery = new URLSearchParams(location.search)
const person = {
  email: stored('walletEmail') ?? 'robin@wallet.example',
  name: 'Robin Wallis',
  country: 'GB',
}

const answer = (choice: WalletChoice | null) =>
  window.parent.postMessage(
    { sandbox: 'wallet', news: choice } satisfies Envelope<WalletChoice | null>,
    sheetQuery.get('holder') ?? '',
  )
const wallet = (['applepay', 'googlepay', 'link'] as const).find((one) => one === sheetQuery.get('wallet'))!

if (sheetQuery.has('email'))
  document.querySelector('#person')!.textContent = `${person.name}, ${person.email}`
const buttons = document.querySelectorAll('button')
for (const button of buttons) {
  button.addEventListener('click', () =>
    answer(button.value === 'close' ? null : { wallet, card: button.value, ...person }),
  )
  button.disabled = false
}
const focusPay = () => buttons[0]!.focus()
window.addEventListener('focus', focusPay, { once: true })
if (document.hasFocus()) focusPay()
