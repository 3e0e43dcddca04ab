import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { connectivity } from '#net/connectivity.ts'
import { exchange } from '#net/send.ts'
import { configureNet } from '#net/settings.ts'
import { queryClient } from './net/query-client.ts'
import { createOfficeRouter } from './router.tsx'
import './ui/office.css'
import './shell/shell.css'

// No token store: the browser sends the office's cookie with each call, and a customer's token must never be sent.
configureNet({ exchange, onAnswer: (isAnswered) => connectivity.note(isAnswered) })

createRoot(document.getElementById('office')!).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={createOfficeRouter()} />
    </QueryClientProvider>
  </StrictMode>,
)
