import { lazy, Suspense, type ComponentType } from 'react'

/**
 * A part below the first view: whole in the server's markup, with its styles, and made alive in the browser
 * once the page has loaded. Its file ends in `.later.tsx`, by which the build keeps its code out of the first
 * view and `server/pages/template.ts` finds its styles.
 *
 * @param onServer the part itself where the server renders, undefined in the browser
 */
export function later<P extends object>(
  onServer: ComponentType<P> | undefined,
  load: () => Promise<ComponentType<P>>,
): ComponentType<P> {
  const Part =
    onServer ??
    lazy(async () => {
      await pageLoaded()
      return { default: await patiently(load) }
    })
  return function Later(props: P) {
    return (
      <Suspense>
        <Part {...props} />
      </Suspense>
    )
  }
}

const pageLoaded = (): Promise<void> =>
  document.readyState === 'complete'
    ? Promise.resolve()
    : new Promise((resolve) => window.addEventListener('load', () => resolve(), { once: true }))

const FIRST_WAIT_MS = 5_000
const LONGEST_WAIT_MS = 300_000

/**
 * Until it is there the server's markup stands. That is never worth the whole page, which a failure would take
 * down: no network for a while, or another release on the server.
 */
async function patiently<T>(load: () => Promise<T>): Promise<T> {
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS))
    try {
      return await load()
    } catch {
      await onlineAgain(waitMs)
    }
}

const onlineAgain = (waitMs: number): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      removeEventListener('online', done)
      resolve()
    }
    const timer = setTimeout(done, waitMs)
    addEventListener('online', done)
  })
