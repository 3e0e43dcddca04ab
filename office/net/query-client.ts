import { QueryCache, QueryClient } from '@tanstack/react-query'
import { NetProblem } from '#net/problem.ts'
import { noteSignedOut } from './session-state.ts'

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (problem) => {
      if (problem instanceof NetProblem && problem.status === 401) noteSignedOut()
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // The page stays as it was while there is no connection; the error says so.
      retry: (failures, problem) => problem instanceof NetProblem && problem.unreachable && failures < 2,
      refetchOnWindowFocus: true,
      networkMode: 'always',
    },
  },
})
