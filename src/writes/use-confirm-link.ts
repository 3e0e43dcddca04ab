import { useQuery, useQueryClient } from '@tanstack/react-query'
import { NetProblem } from '#net/problem.ts'

/** `ask`: the server needs the password, because the user is not logged in here. */
export type LinkOutcome = 'confirmed' | 'ask' | 'failed'

/**
 * Follows a link from an email after its page has opened in a browser, with a separate request: a mail
 * scanner that only loads the page changes nothing. The outcome is undefined until the server has answered.
 */
export function useConfirmLink(
  token: string,
  confirm: (token: string, password?: string) => Promise<unknown>,
) {
  const queryClient = useQueryClient()
  const queryKey = ['mailed-link', token]
  const { status, error } = useQuery({
    queryKey,
    queryFn: () => confirm(token).then(() => true),
    networkMode: 'always',
    retry: false,
    staleTime: Infinity,
    gcTime: 0,
    refetchOnReconnect: false,
  })
  const outcome: LinkOutcome | undefined =
    status === 'success'
      ? 'confirmed'
      : status === 'error'
        ? needsPassword(error)
          ? 'ask'
          : 'failed'
        : undefined
  return {
    outcome,
    /** Rejects with a `NetProblem` if the server refuses the password; the outcome stays `ask`. */
    confirmWithPassword: async (password: string) => {
      await confirm(token, password)
      queryClient.setQueryData(queryKey, true)
    },
  }
}

const needsPassword = (problem: unknown): boolean =>
  problem instanceof NetProblem && problem.violations.some(({ propertyPath }) => propertyPath === 'password')
