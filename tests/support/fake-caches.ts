/** Cache Storage in memory, by URL and in order, with what our service worker uses. */
export function fakeCaches() {
  const stores = new Map<string, Map<string, Response>>()
  const addressOf = (key: RequestInfo | URL) =>
    typeof key === 'object' && 'url' in key ? key.url : String(key)

  const open = async (name: string) => {
    const store = stores.get(name) ?? new Map<string, Response>()
    stores.set(name, store)
    return {
      match: async (key: RequestInfo | URL) => store.get(addressOf(key))?.clone(),
      put: async (key: RequestInfo | URL, response: Response) => {
        // Browsers do the same (trap 4).
        if (response.status === 206) throw new TypeError('Partial response (status code 206) is unsupported')
        store.delete(addressOf(key))
        store.set(addressOf(key), response)
      },
      delete: async (key: RequestInfo | URL) => store.delete(addressOf(key)),
      keys: async () => [...store.keys()].map((url) => ({ url })),
    }
  }
  return {
    open,
    has: async (name: string) => stores.has(name),
    delete: async (name: string) => stores.delete(name),
    keys: async () => [...stores.keys()],
  }
}
