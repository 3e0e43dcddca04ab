import type { BrowserContext, Page } from '@playwright/test'

/** What the media elements of one page did, recorded in the page. */
export interface Witnessed {
  /** How many elements ever made a sound. */
  readonly elements: number
  /** The number of calls of `play`. */
  readonly plays: number
  /** How often playback continued after the end of a chapter; the bench measures how soon. */
  readonly wentOn: number
}

interface Sworn {
  elements: Set<EventTarget>
  plays: number
  wentOn: number
}

declare global {
  var soundWitness: Sworn
}

/** Call it before the first page of a device: it records media events before the element's listeners. */
export async function witnessSound(device: BrowserContext): Promise<void> {
  await device.addInitScript(() => {
    const seen: Sworn = { elements: new Set(), plays: 0, wentOn: 0 }
    globalThis.soundWitness = seen
    let hasEnded = false
    document.addEventListener('ended', () => (hasEnded = true), true)
    const sounds = ({ target }: Event) => {
      if (target) seen.elements.add(target)
      if (hasEnded) seen.wentOn += 1
      hasEnded = false
    }
    document.addEventListener('playing', sounds, true)
    // oxlint-disable-next-line typescript/unbound-method -- called below with its element
    const play = HTMLMediaElement.prototype.play
    HTMLMediaElement.prototype.play = function counted() {
      seen.plays += 1
      return play.call(this)
    }
  })
}

export const witnessed = (page: Page): Promise<Witnessed> =>
  page.evaluate(() => {
    const { elements, plays, wentOn } = globalThis.soundWitness
    return { elements: elements.size, plays, wentOn }
  })

/** The state of the media element: what a listener hears, independent of the screen. */
export const soundNow = (page: Page) =>
  page.evaluate(() => {
    const audio = document.querySelector('audio')
    return {
      paused: audio?.paused ?? true,
      seconds: audio?.currentTime ?? 0,
      rate: audio?.playbackRate ?? 0,
      volume: audio?.volume ?? 0,
      source: audio?.getAttribute('src') ?? '',
    }
  })

/** How much of the book plays per second of real time, measured over the next two seconds of the book. */
export const heardPerSecond = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    const audio = document.querySelector('audio')!
    const heard = () =>
      new Promise<{ place: number; at: number }>((resolve) =>
        audio.addEventListener(
          'timeupdate',
          ({ timeStamp }) => resolve({ place: audio.currentTime, at: timeStamp }),
          { once: true },
        ),
      )
    const from = await heard()
    let to = await heard()
    while (to.place < from.place + 2) to = await heard()
    return ((to.place - from.place) / (to.at - from.at)) * 1000
  })
