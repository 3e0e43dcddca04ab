import { hydrate, type DehydratedState } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { takeEarlyInput, answerEarlyPress } from '#app/start/early-input.ts'
import { createQueryClient } from '#app/start/query-client.ts'
import { within } from '#storage/wait.ts'
import { createAppRouter } from './router.tsx'
import { startApp } from '#app/start/start.ts'
import '#app/frame/styles.css'

const HOME_WITHIN_MS = 4_000

const root = document.getElementById('root')!
const rendered = document.getElementById('server-data')
const queryClient = createQueryClient()
const router = createAppRouter(queryClient)
const screens = <RouterProvider router={router} />
const app = import.meta.env.DEV ? <StrictMode>{screens}</StrictMode> : screens
// When staff view the shop as a customer, their tab gets its own storage before anything reads it.
if ((self.name + location.hash).includes('#view')) void import('#session/viewing.ts').then(start)
else start()

function start(): void {
  try {
    startApp({ router, queryClient })
  } catch (error) {
    // Everything but the screens may fail; the shop must still open and sell.
    reportError(error)
  }
  if (rendered) takeOver(rendered).catch(drawAfresh)
  else if (document.documentElement.dataset.opening === 'home') void drawOverSnapshot()
  else drawAfresh()
}

/** Waits until the home page can be rendered, so that the title in progress doesn't disappear meanwhile. */
async function drawOverSnapshot(): Promise<void> {
  await within(HOME_WITHIN_MS, router.load()).catch(reportError)
  drawAfresh()
}

/** Hydrates what the server rendered. No top-level await: the screens' chunks wait for this module. */
async function takeOver(data: Element): Promise<void> {
  hydrate(queryClient, asOfNow(JSON.parse(data.textContent)))
  // Without it React finds another tree than the server's (server-rendering.md).
  router.ssr = { manifest: undefined }
  await router.load()
  const putIn = takeEarlyInput()
  hydrateRoot(root, app, { onRecoverableError: (error) => console.error('hydration', error) })
  putIn()
  answerEarlyPress()
}

/**
 * The server caches a page until the catalogue changes, like its other answers. So its data is current even if the page
 * is old or the device's clock is wrong. Only going back can show an older page, from the browser's cache.
 */
function asOfNow(data: DehydratedState): DehydratedState {
  const [navigation] = performance.getEntriesByType('navigation')
  const isBack = navigation instanceof PerformanceNavigationTiming && navigation.type === 'back_forward'
  if (!isBack) for (const { state } of data.queries) state.dataUpdatedAt = Date.now()
  return data
}

/** Without what the server rendered, or where it could not be taken over. */
function drawAfresh(failure?: unknown): void {
  if (failure) reportError(failure)
  createRoot(root).render(app)
  answerEarlyPress()
}
