import type { FastifyInstance } from 'fastify'

type Compile = (route: { readonly schema: unknown }) => unknown
type Build = (schemas: unknown, options: unknown) => Compile
interface SchemaController {
  compilersFactory: { readonly buildValidator: Build; readonly buildSerializer: Build }
}

const compiled = new Map<string, unknown>()

/**
 * Every shop of the tests has the same schemas, and to compile them takes two thirds of a second. Each is compiled once in a
 * process, by what the framework brought along.
 */
export function compileOnce(app: FastifyInstance): void {
  const place = Object.getOwnPropertySymbols(app).find(
    ({ description }) => description === 'fastify.schemaController',
  )
  if (!place) throw new Error('Where does the framework keep its schemas now?')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The framework tells nobody of it.
  const controller = (app as unknown as Record<symbol, SchemaController>)[place]!
  const { buildValidator, buildSerializer } = controller.compilersFactory
  controller.compilersFactory = {
    buildValidator: remembering('validator', buildValidator),
    buildSerializer: remembering('serializer', buildSerializer),
  }
}

const remembering =
  (kind: string, build: Build): Build =>
  (schemas, options) => {
    const compile = build(schemas, options)
    const shared = JSON.stringify([kind, schemas, options])
    return (route) => {
      const key = shared + JSON.stringify(route.schema)
      if (!compiled.has(key)) compiled.set(key, compile(route))
      return compiled.get(key)
    }
  }
