import { QueryClient } from '@tanstack/react-query'
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router'
import { render } from '@testing-library/react'
import { NetProblem } from '#net/problem.ts'
import { configureNet, type Exchange } from '#net/settings.ts'
import { tokensOfWhoIsIn } from './tokens-of-who-is-in.ts'
import { createAppRouter } from '../../src/router.tsx'

type Answer = (asked: Exchange) => unknown

const EMPTY = { 'hydra:member': [], 'hydra:totalItems': 0 }

/**
 * Every address with its frame and its screen, opened at one of them: for which screen an address shows, and to whom. The shop has
 * nothing of what a list could show, but for what `answers` gives by the path of its call.
 */
export function openApp(address: string, answers: Readonly<Record<string, Answer | object>> = {}) {
  const exchange = async (asked: Exchange): Promise<unknown> => {
    const answer = answers[asked.path]
    if (typeof answer === 'function') return (answer as Answer)(asked)
    if (answer) return answer
    if (LISTS.test(asked.path)) return EMPTY
    throw new NetProblem('refused', 404, {})
  }
  configureNet({ exchange, tokens: tokensOfWhoIsIn })
  // As the server marks the documents of its tills: they are not loaded again.
  document.head.innerHTML = '<meta name="payments" content="allowed" />'
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const router = createAppRouter(queryClient)
  router.update({ ...router.options, history: createMemoryHistory({ initialEntries: [address] }) } as never)
  render(<RouterProvider router={router} />)
  return { router, path: () => router.state.location.pathname }
}

const LISTS = /(?:s|_entries|gifts|activations)$/
