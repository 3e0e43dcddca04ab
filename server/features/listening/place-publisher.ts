import type { Shop } from '../../shop.ts'
import { type TransientMessage, publishTransient } from '../feed/service.ts'
import type { Stored } from './place-batch-queries.ts'
import { movedView } from './serializers.ts'

/** A place that has just become a book's current one. */
export interface Moved {
  readonly userId: string
  readonly slug: string
  readonly bookTime: Stored
}

export interface PlacePublisher {
  readonly publish: (moved: Moved) => void
  /** Drops what has not been sent yet. */
  readonly stop: () => void
}

/**
 * A device that takes over waits for the other one's place half a second in all; a device that sends a whole evening
 * at once is announced a few times, not for each minute of it.
 */
const COALESCE_MS = 50

/**
 * Sends a book's new place to the listener's other devices, once it is durable; of several of one book the last. Best
 * effort: a device that misses it asks instead, and asks for the names of devices too.
 */
export function placePublisher(
  shop: Pick<Shop, 'db' | 'log'>,
  send: (messages: readonly TransientMessage[]) => Promise<void> = (messages) =>
    publishTransient(shop.db, messages),
): PlacePublisher {
  const waiting = new Map<string, Moved>()
  let timer: NodeJS.Timeout | undefined

  const sendAll = () => {
    timer = undefined
    const messages = [...waiting.values()].map(({ userId, ...moved }): TransientMessage => ({
      userId,
      data: { type: 'place', place: movedView(moved) },
    }))
    waiting.clear()
    send(messages).catch((error: unknown) => shop.log.warn({ err: error }, 'places could not be told'))
  }
  return {
    publish(moved) {
      waiting.set(`${moved.userId} ${moved.slug}`, moved)
      timer ??= setTimeout(sendAll, COALESCE_MS)
    },
    stop() {
      clearTimeout(timer)
      waiting.clear()
    },
  }
}
