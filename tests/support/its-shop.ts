import { inject } from 'vitest'
import { askForShop } from '../../src/features/shop-details/shop.ts'

// Every page names the shop's operator; the app's tests use the demo's details.
const details = inject('shopDetails')
askForShop(() => details)
if (typeof document !== 'undefined') {
  const said = document.createElement('script')
  said.type = 'application/json'
  said.id = 'shop'
  said.textContent = JSON.stringify(details)
  document.head.append(said)
}
