import { expect, type Locator, type Page } from '@playwright/test'
import { fingerOn } from './touch.ts'

/** The radius of a finger's contact area. */
const FINGER_PX = 14

/** On a fully loaded machine it may take many seconds to play one second of sound. */
const PATIENCE = { timeout: 60_000 }
/** Poll often: by default Playwright polls only once a second after the first two. */
const CLOSELY = { ...PATIENCE, intervals: [100] }

/** The player's screen or window, through what a listener sees of it. */
export class AtThePlayer {
  readonly page: Page
  readonly screen: Locator
  readonly chapter: Locator

  constructor(page: Page) {
    this.page = page
    this.screen = page.getByRole('region', { name: 'Player' })
    this.chapter = this.screen.getByRole('heading', { level: 1 })
  }

  press(name: string | RegExp): Promise<void> {
    return this.screen.getByRole('button', { name, exact: typeof name === 'string' }).click()
  }

  /** Whole seconds into the chapter, as the scrubber shows them. */
  async seconds(): Promise<number> {
    return Number(await this.#scrubber.inputValue())
  }

  async expectChapter(title: string): Promise<void> {
    await expect.poll(() => this.chapter.innerText(PATIENCE), CLOSELY).toBe(title)
  }

  /** Expects the position to advance without a press, from decoded sound. */
  async expectSound(forSeconds = 1): Promise<void> {
    await this.#scrubber.waitFor(PATIENCE)
    let decodedBefore = await this.#decodedBytes()
    let from = await this.seconds()
    const heard = async () => {
      const now = await this.seconds()
      // A chapter that has just begun: the scrubber may have shown the end of the previous one.
      from = Math.min(from, now)
      return now - from
    }
    await expect.poll(heard, CLOSELY).toBeGreaterThanOrEqual(forSeconds)
    const decoded = async () => {
      const now = await this.#decodedBytes()
      // Each chapter counts from zero.
      decodedBefore = Math.min(decodedBefore, now)
      return now - decodedBefore
    }
    await expect.poll(decoded, CLOSELY).toBeGreaterThan(0)
  }

  async expectSilence(): Promise<void> {
    await expect(this.screen.getByRole('button', { name: 'Play', exact: true })).toBeVisible()
  }

  /** Presses the scrubber's line at a share (0 to 1) of the chapter. */
  async seek(share: number): Promise<void> {
    const box = (await this.#line.boundingBox())!
    await this.#line.click({ position: { x: box.width * share, y: box.height / 2 } })
    await this.#expectShare(share)
  }

  /** Taps the scrubber's line at a share of its width. */
  async tapLine(share: number): Promise<void> {
    const box = (await this.#line.boundingBox())!
    const finger = await fingerOn(this.page)
    await finger.tapAt(box.x + box.width * share, box.y + box.height / 2, FINGER_PX)
    await this.#expectShare(share)
  }

  /** Waits for the end of the chapter, and for the next one to start on its own. */
  async hearIntoChapter(title: string): Promise<void> {
    await this.seek(0.97)
    await this.expectChapter(title)
    await this.expectSound()
  }

  async chooseChapter(title: string): Promise<void> {
    await this.#scrubber.waitFor(PATIENCE)
    const beside = this.screen.getByRole('listitem').getByRole('button', { name: title })
    if (!(await beside.isVisible())) await this.press('Chapters')
    await this.page.getByRole('listitem').getByRole('button', { name: title }).click()
    await this.expectChapter(title)
  }

  get #scrubber(): Locator {
    return this.screen.getByRole('slider', { name: 'Position in chapter' })
  }

  async #length(): Promise<number> {
    return Number(await this.#scrubber.getAttribute('max'))
  }

  get #line(): Locator {
    return this.screen.getByRole('group').filter({ has: this.page.getByRole('slider') })
  }

  #expectShare(share: number): Promise<void> {
    return expect
      .poll(async () => (await this.seconds()) / (await this.#length()), CLOSELY)
      .toBeCloseTo(share, 1)
  }

  #decodedBytes(): Promise<number> {
    return this.page.evaluate(() => {
      const audio = document.querySelector('audio') as { webkitAudioDecodedByteCount?: number } | null
      return audio?.webkitAudioDecodedByteCount ?? 0
    })
  }
}

/** Presses Play on a book's page: opens the full player on a phone, and its own window on a larger screen. */
export async function playFromBookPage(page: Page): Promise<AtThePlayer> {
  const play = page.getByRole('main').getByRole('button', { name: /^Play( from .+)?$/ })
  if ((page.viewportSize()?.width ?? 0) < 768) {
    await play.click()
    return new AtThePlayer(page)
  }
  const [own] = await Promise.all([page.waitForEvent('popup'), play.click()])
  return new AtThePlayer(own)
}
