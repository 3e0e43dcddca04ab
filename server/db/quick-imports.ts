import { registerHooks } from 'node:module'

// Load with `node --import`, before Drizzle. For each of its 150 files Node parses its 180 kB package.json (0.4 s,
// 230 MB of garbage) to find the module type, which is always the same.
registerHooks({
  resolve(specifier, context, next) {
    if (specifier.startsWith('.') && context.parentURL?.includes('/node_modules/drizzle-orm/')) {
      return { url: new URL(specifier, context.parentURL).href, format: 'module', shortCircuit: true }
    }
    return next(specifier, context)
  },
})
