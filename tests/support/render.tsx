import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render as renderAlone, type RenderResult } from '@testing-library/react'
import { useState, type ReactNode } from 'react'

/** Renders a component with a query client of its own, which every form and button that writes needs. */
export const render = (ui: ReactNode): RenderResult => renderAlone(ui, { wrapper: WithQueries })

function WithQueries({ children }: { children: ReactNode }) {
  const [client] = useState(() => new QueryClient())
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>
}
