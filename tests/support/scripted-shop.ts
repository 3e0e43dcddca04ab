import type { AudioBookTime } from '#contract/listening.ts'
import { tokensOf } from './stored-session.ts'

/** The shop's records of one listener, queried through the API instead of the screens. */
export class ShopSays {
  readonly #url: string
  readonly #token: string

  private constructor(url: string, token: string) {
    this.#url = url
    this.#token = token
  }

  static async to(email: string, shopUrl: string): Promise<ShopSays> {
    return new ShopSays(shopUrl, (await tokensOf(shopUrl, email)).token)
  }

  /** The stored position, or undefined for a book that was never played. */
  async place(slug: string): Promise<AudioBookTime | undefined> {
    const times = await this.#get<AudioBookTime>('/api/user_audio_book_times?itemsPerPage=100')
    return times.find(({ audioBook }) => audioBook.endsWith(`/${slug}`))
  }

  /** Every position in the listening history, newest first. */
  async history(slug: string): Promise<{ chapter: number; seconds: number }[]> {
    const row = await this.place(slug)
    return row ? this.#get(`/api/user_audio_book_times/${row.id}/history`) : []
  }

  async #get<T>(path: string): Promise<T[]> {
    const response = await fetch(this.#url + path, { headers: { xtoken: `Bearer ${this.#token}` } })
    if (!response.ok) throw new Error(`${path}: ${response.status}`)
    return ((await response.json()) as { 'hydra:member': T[] })['hydra:member']
  }
}
