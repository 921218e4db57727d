import { mkdir, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Creation } from '@svc/devnet/suite'
import { size, slice } from 'viem'
import { z } from 'zod'
import { AdminError } from '../adminError.ts'
import type { Plan } from '../plan/planFile.ts'
import { computeSuite, listCreations } from '../plan/plannedSuite.ts'
import { buildStandardInput, type StandardInput } from './standardInput.ts'

const compilerShape = z.object({
  version: z.custom<() => string>(isFunction),
  compile: z.custom<(input: string) => string>(isFunction),
})
const outputShape = z.object({
  errors: z.array(z.object({ severity: z.string(), formattedMessage: z.string() })).optional(),
  contracts: z.record(
    z.string(),
    z.record(z.string(), z.object({ evm: z.object({ bytecode: z.object({ object: z.string() }) }) })),
  ),
})

function isFunction(value: unknown): boolean {
  return typeof value === 'function'
}

/** The compiler of the lockfile. */
export interface Compiler {
  /** Such as `v0.8.37+commit.f401782d`, as explorers name it. */
  version: string
  /** Compiles an input, and returns the creation code of one contract. */
  compile: (input: StandardInput, source: string, contract: string) => `0x${string}`
}

/** Loads the compiler. It takes a second, and 30 MB. */
export function loadCompiler(): Compiler {
  const solc = compilerShape.parse(createRequire(import.meta.url)('solc'))
  return {
    version: `v${solc.version().replace(/\.Emscripten.*$/, '')}`,
    compile(input, source, contract) {
      const { errors = [], contracts } = outputShape.parse(JSON.parse(solc.compile(JSON.stringify(input))))
      const failure = errors.find(({ severity }) => severity === 'error')
      if (failure) throw new AdminError(failure.formattedMessage)
      const object = contracts[source]?.[contract]?.evm.bytecode.object
      if (!object) throw new AdminError(`${source} has no contract ${contract}.`)
      return `0x${object}`
    },
  }
}

/** What an explorer asks for to verify one contract. */
interface Verification {
  name: string
  address: string
  chainId: number
  compilerVersion: string
  /** Source and contract, as Etherscan and Blockscout name them. */
  contractName: string
  /** ABI-encoded, without 0x. */
  constructorArguments: string
  /** The file with the standard JSON input. */
  inputFile: string
}

/**
 * Compiles every contract of a plan from its standard JSON input and compares the result with what the plan deploys. Returns the
 * inputs by contract, and what explorers ask for besides. Throws if a byte differs.
 */
export async function buildVerifications(plan: Plan, { version, compile }: Compiler) {
  const inputs = new Map<string, StandardInput>()
  const codes = new Map<string, `0x${string}`>()
  const verifications: Verification[] = []
  for (const creation of listCreations(plan, computeSuite(plan))) {
    const { source, contract } = findSource(creation)
    if (!inputs.has(contract)) {
      const input = await buildStandardInput(source)
      inputs.set(contract, input)
      codes.set(contract, compile(input, source, contract))
    }
    const code = codes.get(contract) ?? '0x'
    if (!creation.data.startsWith(code))
      throw new AdminError(`${contract} compiles to other bytecode than the plan deploys.`)
    const length = size(code)
    verifications.push({
      name: creation.name,
      address: creation.address,
      chainId: plan.chainId,
      compilerVersion: version,
      contractName: `${source}:${contract}`,
      constructorArguments: size(creation.data) > length ? slice(creation.data, length).slice(2) : '',
      inputFile: `${contract}.json`,
    })
  }
  return { inputs, verifications }
}

/** Writes the inputs, and a list of what to give to Sourcify, Blockscout and Etherscan. */
export async function writeVerifications(folder: string, plan: Plan, compiler: Compiler): Promise<string[]> {
  const { inputs, verifications } = await buildVerifications(plan, compiler)
  await mkdir(folder, { recursive: true })
  for (const [contract, input] of inputs)
    await writeFile(join(folder, `${contract}.json`), `${JSON.stringify(input)}\n`)
  await writeFile(join(folder, 'contracts.json'), `${JSON.stringify(verifications, null, 2)}\n`)
  await writeFile(join(folder, 'verify.sh'), formatScript(verifications))
  return [...inputs.keys()]
}

/** Requests for the three explorers. Keys come from the environment. */
function formatScript(verifications: readonly Verification[]): string {
  const lines = verifications.map(
    ({ address, chainId, compilerVersion, contractName, constructorArguments, inputFile }) =>
      [`verify ${chainId} ${address} ${compilerVersion} ${contractName} ${inputFile} "${constructorArguments}"`].join(
        '\n',
      ),
  )
  return `${scriptHead}${lines.join('\n')}\n`
}

const scriptHead = `#!/usr/bin/env bash
# Sends the sources of every contract to Sourcify, and to Etherscan and Blockscout if ETHERSCAN_KEY or BLOCKSCOUT_URL is set.
set -euo pipefail
cd "$(dirname "$0")"
verify() {
  local chain=$1 address=$2 version=$3 name=$4 input=$5 arguments=$6
  jq -n --slurpfile input "$input" --arg version "\${version#v}" --arg name "$name" \\
    '{ stdJsonInput: $input[0], compilerVersion: $version, contractIdentifier: $name }' |
    curl -fsS -H 'content-type: application/json' --data-binary @- "\${SOURCIFY_URL:-https://sourcify.dev/server}/v2/verify/$chain/$address"
  if [ -n "\${BLOCKSCOUT_URL:-}" ]; then
    curl -fsS -F "compiler_version=$version" -F "contract_name=$name" -F "files[0]=@$input;type=application/json" \\
      -F "constructor_args=$arguments" -F autodetect_constructor_args=false -F license_type=mit \\
      "$BLOCKSCOUT_URL/api/v2/smart-contracts/$address/verification/via/standard-input"
  fi
  if [ -n "\${ETHERSCAN_KEY:-}" ]; then
    curl -fsS --data-urlencode "sourceCode@$input" --data-urlencode "contractname=$name" -d "codeformat=solidity-standard-json-input" \\
      -d "contractaddress=$address" -d "compilerversion=$version" -d "constructorArguements=$arguments" \\
      --data-urlencode "apikey=$ETHERSCAN_KEY" \\
      "https://api.etherscan.io/v2/api?chainid=$chain&module=contract&action=verifysourcecode"
  fi
}
`

const names: Readonly<Record<string, string>> = { TimelockController: 'TimelockController' }
/** Sources that are not `contracts/src/<name>.sol`. */
const otherSources: Readonly<Record<string, string>> = {
  RealityCourt: 'contracts/src/courts/RealityCourt.sol',
  TimelockController: 'node_modules/@openzeppelin/contracts/governance/TimelockController.sol',
}

/** Finds the source and the name of the contract that a creation creates, such as `micro taskRegistry`. */
function findSource({ name }: Pick<Creation, 'name'>): { source: string; contract: string } {
  const last = name.split(' ').at(-1) ?? name
  const contract = names[last] ?? `${last.slice(0, 1).toUpperCase()}${last.slice(1)}`
  return { source: otherSources[contract] ?? `contracts/src/${contract}.sol`, contract }
}
