import type { BrowserContext, Page } from '@playwright/test'

/** What the media elements of one page did, as the page itself saw it. */
export interface Witnessed {
  /** How many elements ever made a sound. */
  readonly elements: number
  /** How often anybody called `play`. */
  readonly plays: number
  /** Milliseconds between the end of a chapter and the sound of the next one, in their order. */
  readonly gapsMs: readonly number[]
}

interface Sworn {
  elements: Set<EventTarget>
  plays: number
  gapsMs: number[]
}

declare global {
  var soundWitness: Sworn
}

/** Before the first page of a device is opened: media events are watched on their way to the element. */
export async function witnessSound(device: BrowserContext): Promise<void> {
  await device.addInitScript(() => {
    const seen: Sworn = { elements: new Set(), plays: 0, gapsMs: [] }
    globalThis.soundWitness = seen
    let endedAt: number | undefined
    document.addEventListener('ended', () => (endedAt = performance.now()), true)
    const sounds = ({ target }: Event) => {
      if (target) seen.elements.add(target)
      if (endedAt !== undefined) seen.gapsMs.push(performance.now() - endedAt)
      endedAt = undefined
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
    const { elements, plays, gapsMs } = globalThis.soundWitness
    return { elements: elements.size, plays, gapsMs }
  })

/** The element as it is: what a listener would hear, whatever the screen says. */
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
