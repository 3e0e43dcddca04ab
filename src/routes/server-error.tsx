import { createFileRoute } from '@tanstack/react-router'
import { isFirstPage } from '../app/first-page.ts'
import { ServerError } from '../app/shell/ServerError.tsx'

export const Route = createFileRoute('/server-error')({
  component: () => <ServerError late={!isFirstPage()} />,
})
