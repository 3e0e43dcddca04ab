import type { ApiAnswer, ApiCall, Envelope } from './protocol.ts'
import { scriptOrigin } from './script-origin.ts'

/** The page's side of the controller frame. The frame is created at the first call. */
export class ControllerClient {
  readonly #waiting = new Map<number, (answer: ApiAnswer) => void>()
  #frame: Promise<HTMLIFrameElement> | undefined
  #calls = 0

  async ask(call: Omit<ApiCall, 'call'>): Promise<ApiAnswer> {
    const frame = await (this.#frame ??= this.#open())
    this.#calls += 1
    const number = this.#calls
    return new Promise((resolve) => {
      this.#waiting.set(number, resolve)
      const order: Envelope<ApiCall> = { sandbox: 'controller', news: { ...call, call: number } }
      frame.contentWindow!.postMessage(order, scriptOrigin)
    })
  }

  #open(): Promise<HTMLIFrameElement> {
    const frame = document.createElement('iframe')
    frame.src = `${scriptOrigin}/controller?holder=${encodeURIComponent(location.origin)}`
    frame.setAttribute('aria-hidden', 'true')
    frame.tabIndex = -1
    frame.title = 'Payments'
    frame.style.cssText = 'position: fixed; inline-size: 1px; block-size: 1px; border: 0; visibility: hidden'
    return new Promise((resolve) => {
      window.addEventListener(
        'message',
        ({ data, origin, source }: MessageEvent<Envelope<ApiAnswer> | undefined>) => {
          if (origin !== scriptOrigin || source !== frame.contentWindow || data?.sandbox !== 'controller')
            return
          const { call } = data.news
          if (call === 0) return resolve(frame)
          this.#waiting.get(call)?.(data.news)
          this.#waiting.delete(call)
        },
      )
      document.body.append(frame)
    })
  }
}
