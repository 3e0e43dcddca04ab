import type { Shop } from '../../shop.ts'
import { type TransientMessage, publishTransient } from '../feed/service.ts'
import type { Stored } from './place-batch-queries.ts'
import { movedView } from './serializers.ts'

export interface Moved {
  readonly userId: string
  readonly slug: string
  readonly bookTime: Stored
}

export interface PlacePublisher {
  readonly publish: (moved: Moved) => void
  readonly stop: () => void
}

/** Merges an evening's events into a few messages. Short, because a device that takes over waits. */
const COALESCE_MS = 50

/** Best effort, after the commit: a device that misses a message fetches the place. */
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
