import { lazy, Suspense, type ComponentType } from 'react'
import { untilLoaded } from './lazy-part.ts'

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
      return { default: await untilLoaded(load) }
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
