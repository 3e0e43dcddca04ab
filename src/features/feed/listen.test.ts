import { expect, test } from 'vitest'
import type { FeedMessage } from '#contract/feed.ts'
import { type FeedEvents, createSharedFeed } from './listen.ts'

const LIBRARY: FeedMessage = { type: 'library' }

/** A browser whose tabs share a lock and a channel, and a server that counts its streams. */
function browser({ locks = true } = {}) {
  const streams: { events: FeedEvents; after: string | undefined }[] = []
  const channels = new Set<{ onmessage: ((event: MessageEvent) => void) | null }>()
  const queue: (() => Promise<unknown>)[] = []
  let held = false
  const next = () => {
    const work = held ? undefined : queue.shift()
    if (!work) return
    held = true
    void work().finally(() => {
      held = false
      next()
    })
  }
  const request = (_name: string, { signal }: { signal: AbortSignal }, work: () => Promise<unknown>) =>
    new Promise((resolve, reject) => {
      const entry = () => work().then(resolve, reject)
      queue.push(entry)
      signal.addEventListener('abort', () => {
        const at = queue.indexOf(entry)
        if (at < 0) return
        queue.splice(at, 1)
        reject(new DOMException('gone', 'AbortError'))
      })
      next()
    })

  const tab = (visible = true) => {
    let look = () => {}
    const page = {
      visibilityState: visible ? 'visible' : 'hidden',
      addEventListener: (_type: string, listener: () => void) => void (look = listener),
      removeEventListener: () => undefined,
    }
    const channel = {
      onmessage: null as ((event: MessageEvent) => void) | null,
      postMessage(data: unknown) {
        for (const other of channels) if (other !== channel) other.onmessage?.({ data } as MessageEvent)
      },
      close: () => void channels.delete(channel),
    }
    channels.add(channel)
    const feed = createSharedFeed('u1', {
      connect: (_user, events, start) => {
        const stream = { events, after: start?.after }
        streams.push(stream)
        return () => void streams.splice(streams.indexOf(stream), 1)
      },
      locks: locks ? ({ request } as unknown as LockManager) : undefined,
      channel: locks ? channel : undefined,
      page: page as unknown as Document,
    })
    const heard: string[] = []
    const add = (more = {}) =>
      feed.add({
        onMessage: ({ type }) => heard.push(type),
        onOpen: () => heard.push('open'),
        ...more,
      })
    const show = (state: 'visible' | 'hidden') => {
      page.visibilityState = state
      look()
    }
    return { add, heard, show }
  }
  return { streams, tab }
}
/** A released lock is granted one task later. */
const settled = () => new Promise((resolve) => setTimeout(resolve))

test('seven tabs share one stream, and each receives every message', async () => {
  const { streams, tab } = browser()
  const tabs = Array.from({ length: 7 }, () => tab())
  for (const { add } of tabs) add()
  await settled()
  expect(streams).toHaveLength(1)
  streams[0]!.events.onOpen?.()
  streams[0]!.events.onMessage(LIBRARY, 'm1')
  expect(tabs.map(({ heard }) => heard)).toEqual(tabs.map(() => ['open', 'library']))
})

test('several subscribers in one page share it too, and the last to unsubscribe closes it', async () => {
  const { streams, tab } = browser()
  const { add } = tab()
  const [first, second] = [add(), add()]
  await settled()
  expect(streams).toHaveLength(1)
  first()
  await settled()
  expect(streams).toHaveLength(1)
  second()
  await settled()
  expect(streams).toHaveLength(0)
})

test('a hidden tab has no stream; the next visible one continues after the last message', async () => {
  const { streams, tab } = browser()
  const [first, second] = [tab(), tab()]
  first.add()
  second.add()
  await settled()
  streams[0]!.events.onMessage(LIBRARY, 'm7')
  first.show('hidden')
  await settled()
  expect(streams.map(({ after }) => after)).toEqual(['m7'])
  second.show('hidden')
  await settled()
  expect(streams).toHaveLength(0)
  first.show('visible')
  await settled()
  expect(streams).toHaveLength(1)
})

test('a playing tab reads the stream even while hidden', async () => {
  const { streams, tab } = browser()
  tab(false).add()
  await settled()
  expect(streams).toHaveLength(0)
  tab(false).add({ evenHidden: true })
  await settled()
  expect(streams).toHaveLength(1)
})

test('a tab opened later learns that the stream is open', async () => {
  const { streams, tab } = browser()
  const first = tab()
  first.add()
  await settled()
  streams[0]!.events.onOpen?.()
  const second = tab()
  second.add()
  await settled()
  expect(second.heard).toEqual(['open'])
})

test('a refused tab does not retry, and does not block other tabs', async () => {
  const { streams, tab } = browser()
  const [first, second] = [tab(), tab()]
  first.add()
  second.add()
  await settled()
  const refused = streams[0]
  refused!.events.onRefused?.()
  await settled()
  expect(streams).toHaveLength(1)
  expect(streams[0]).not.toBe(refused)
})

test('without locks each visible tab opens its own stream', async () => {
  const { streams, tab } = browser({ locks: false })
  tab().add()
  tab(false).add()
  await settled()
  expect(streams).toHaveLength(1)
})
