import { createContext, lazy, use, type ComponentType } from 'react'

/**
 * On the server: the names of the parts that a page contains. Their styles are added to the page
 * (server/pages/template.ts).
 */
export const PartsOfPage = createContext<Set<string> | undefined>(undefined)

/**
 * A component whose code is loaded when it is first rendered: `lazyPart(() => import('./Menu.tsx'), 'Menu')`.
 * If the code can't be loaded, the part is missing and loading is retried. Render it in a `Suspense`. The
 * server renders it like any other.
 */
export function lazyPart<
  Name extends string,
  Module extends { readonly [each in Name]: ComponentType<never> },
>(load: () => Promise<Module>, name: Name): ComponentType<PropsOf<Module[Name]>> {
  type Props = PropsOf<Module[Name]>
  const Part: ComponentType<Props> = lazy(async () => {
    if (!import.meta.env.SSR && isInPage(name)) await loadedOrUsed()
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same component, with its own props
    return { default: (await untilLoaded(load))[name] as ComponentType<Props> }
  })
  if (!import.meta.env.SSR) return Part
  return function PartOfPage(props: Props) {
    use(PartsOfPage)?.add(name)
    return <Part {...props} />
  }
}

/** Whether the server rendered this part into the page (server/pages/template.ts lists them). */
const isInPage = (name: string): boolean =>
  document.readyState !== 'complete' &&
  (document.getElementById('server-parts')?.textContent ?? '').includes(`"${name}"`)

/**
 * A part that can be seen already gives way to the page's pictures: its code is fetched after `load`, or at the
 * visitor's first press, key or focus.
 */
const loadedOrUsed = (): Promise<void> =>
  new Promise((resolve) => {
    for (const event of ['load', 'pointerdown', 'keydown', 'focusin'])
      addEventListener(event, () => resolve(), { once: true, capture: true })
  })

type PropsOf<Part> = Part extends ComponentType<infer Props extends object> ? Props : never

const FIRST_WAIT_MS = 5_000
const LONGEST_WAIT_MS = 300_000

/**
 * Loads a part of the app and retries: the network may be gone for a while, or the server may have another
 * release. It never fails, because one part must not take down the whole page.
 */
export async function untilLoaded<T>(load: () => Promise<T>): Promise<T> {
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
