import type { Envelope } from './protocol.ts'
import { scriptOrigin } from './script-origin.ts'

/** Shows the bank's authentication dialog. Resolves when the customer has answered, with either answer. */
export function showBank(address: string): Promise<void> {
  const before = document.activeElement
  const dialog = document.createElement('dialog')
  dialog.setAttribute('aria-label', 'Your bank')
  dialog.style.cssText =
    'position: fixed; inset: 0; inline-size: 100%; block-size: 100%; max-inline-size: none; max-block-size: none; margin: 0; padding: 0; border: 0; background: rgb(0 0 0 / 60%)'
  const frame = document.createElement('iframe')
  frame.src = address
  frame.title = 'Your bank asks for you'
  frame.style.cssText =
    'display: block; inline-size: 100%; block-size: 100%; border: 0; color-scheme: light dark; background: transparent'
  dialog.append(frame)
  // Escape must not close the dialog: both answers are buttons in it.
  dialog.addEventListener('cancel', (event) => event.preventDefault())
  return new Promise((resolve) => {
    const hear = ({ data, origin, source }: MessageEvent<Envelope<unknown> | undefined>) => {
      if (origin !== scriptOrigin || source !== frame.contentWindow || data?.sandbox !== 'bank') return
      window.removeEventListener('message', hear)
      dialog.close()
      dialog.remove()
      if (before instanceof HTMLElement) before.focus()
      resolve()
    }
    window.addEventListener('message', hear)
    frame.addEventListener('load', () => frame.focus(), { once: true })
    document.body.append(dialog)
    dialog.showModal()
  })
}
