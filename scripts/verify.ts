import { createHash, createPublicKey, type KeyObject, verify as verifySignature } from 'node:crypto';
import { canonicalJson } from '#contract/canonical-json.ts';
import { type ProofBundle, proofBundleSchema } from '#contract/lap-view/proof.ts';
import { ENGINE_VERSION } from '#engine/engine-version.ts';
import { formatLapTime } from '#engine/lap-time.ts';
import { type CheckedCrossing, type CheckedLap, timeProof } from '#engine/proof/time-proof.ts';
import { CommandError, parseCommandLine, readBytes, runLapFileCommand } from './lap-file-command.ts';

const USAGE = `Usage: npm run verify -- BUNDLE.json [--key KEY] [--file LAP_FILE] [--json]

Checks a proof of a lap time that was downloaded from Pitboard, without asking a server: its signature, and the lap time, timed again from
its fixes. --key is the public key of the server (GET /api/proof-key of its address), --file the lap file, where you have it.
The exit code is 0 where all of it holds, 2 where anything does not, and 1 where it cannot be checked.`;

const EXIT_DOES_NOT_HOLD = 2;

type Wish = { path: string; key: string | undefined; lapFile: string | undefined; isJson: boolean };

/** The result of a check; the proof is valid if there are no problems. */
export type Verification = { bundle: ProofBundle; checked: CheckedLap | null; problems: string[] };

/** Runs the command with these arguments, prints the result, and returns the exit code. */
export function verify(commandLine: string[]): number {
  let holds = true;
  const exitCode = runLapFileCommand(
    USAGE,
    () => readWish(commandLine),
    ({ path, key, lapFile, isJson }) => {
      const file = lapFile === undefined ? undefined : readBytes(lapFile);
      const verification = verifyBundle(parseJson(path), { key, lapFile: file });
      holds = verification.problems.length === 0;
      return isJson ? JSON.stringify(forPrograms(verification)) : forPeople(verification, key);
    },
  );
  return holds ? exitCode : EXIT_DOES_NOT_HOLD;
}

function readWish(commandLine: string[]): Wish | null {
  const others = { key: { type: 'string' }, file: { type: 'string' } } as const;
  const { values, positionals } = parseCommandLine(commandLine, others);
  if (values.help === true) return null;
  const [path, ...more] = positionals;
  if (path === undefined || more.length > 0) throw new CommandError(`Give one bundle. ${USAGE}`);
  return { path, key: values.key, lapFile: values.file, isJson: values.json === true };
}

function parseJson(path: string): unknown {
  try {
    return JSON.parse(Buffer.from(readBytes(path)).toString('utf8'));
  } catch (error) {
    if (error instanceof SyntaxError)
      throw new CommandError(`${path} is no JSON, so it is no proof of a lap.`, { cause: error });
    throw error;
  }
}

/**
 * Checks a bundle with the given public key, else with the one that it contains.
 * @throws CommandError where it is no such bundle
 */
export function verifyBundle(
  json: unknown,
  { key, lapFile }: { key?: string | undefined; lapFile?: Uint8Array | undefined } = {},
): Verification {
  const parsed = proofBundleSchema.safeParse(json);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new CommandError(
      `This is no proof of a lap: ${issue?.path.join('.') || 'it'} does not fit (${issue?.message}).`,
    );
  }
  const bundle = parsed.data;
  const checked = timeProof(bundle.measurement);
  const problems = [
    ...findSignatureProblems(json, bundle, key),
    ...findTimeProblems(bundle, checked),
    ...(lapFile === undefined || createHash('sha256').update(lapFile).digest('hex') === bundle.lapFile.sha256
      ? []
      : ['The lap file is another one: its SHA-256 differs.']),
  ];
  return { bundle, checked, problems };
}

function findSignatureProblems(json: unknown, { signature }: ProofBundle, key: string | undefined): string[] {
  if (key !== undefined && key !== signature.publicKey)
    return ['The bundle was signed with another key than the one given.'];
  const { value, ...head } = signature;
  // The signature covers the bundle as received, including unknown fields.
  const signed = canonicalJson({ ...Object(json), signature: head });
  const publicKey = readKey(signature.publicKey);
  const isGenuine =
    publicKey !== null && verifySignature(null, Buffer.from(signed), publicKey, Buffer.from(value, 'base64'));
  return isGenuine ? [] : ['The signature does not fit: the bundle was changed after it was signed.'];
}

function readKey(publicKey: string): KeyObject | null {
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
    return key.asymmetricKeyType === 'ed25519' ? key : null;
  } catch {
    return null;
  }
}

function findTimeProblems({ result, engineVersion }: ProofBundle, checked: CheckedLap | null): string[] {
  if (checked === null) return ['Its fixes do not cross the line at both ends.'];
  const { lapTimeMs, uncertaintyMs, sectorTimesMs } = checked;
  if (canonicalJson({ lapTimeMs, uncertaintyMs, sectorTimesMs }) === canonicalJson(result)) return [];
  const other =
    engineVersion === ENGINE_VERSION
      ? ''
      : ` It was made by engine ${engineVersion}, and this is engine ${ENGINE_VERSION}.`;
  return [
    `Its fixes give ${formatLapTime(lapTimeMs)}, ± ${uncertaintyMs} ms, and not the times that it states.${other}`,
  ];
}

function forPrograms({ bundle, checked, problems }: Verification) {
  const { site, trackId, lapId, userName, engineVersion, lapFile, result, signature } = bundle;
  return {
    holds: problems.length === 0,
    problems,
    site,
    trackId,
    lapId,
    userName,
    driverId: findDriverId(bundle),
    engineVersion,
    lapFile,
    result,
    publicKey: signature.publicKey,
    checked,
  };
}

/** Returns the id of the driver; null in the first version of proofs, which has none. */
function findDriverId(bundle: ProofBundle): string | null {
  return bundle.kind === 'pitboard-lap-proof-1' ? null : bundle.driverId;
}

function forPeople({ bundle, checked, problems }: Verification, key: string | undefined): string {
  const { site, trackName, userName, engineVersion, lapFile, result, signature } = bundle;
  return [
    `${formatLapTime(result.lapTimeMs)} by ${userName} at ${trackName}, from ${site}`,
    '',
    ...(checked === null ? [] : describeSteps(checked)),
    `Driver     ${findDriverId(bundle) ?? 'without an id: names alone may be alike'}`,
    `Engine     ${engineVersion}${engineVersion === ENGINE_VERSION ? '' : ` (this is ${ENGINE_VERSION})`}`,
    `Lap file   ${lapFile.format}, SHA-256 ${lapFile.sha256}`,
    `Key        ${signature.publicKey}`,
    ...(key === undefined ? [`           Compare it with ${site}/api/proof-key.`] : []),
    '',
    ...(problems.length === 0
      ? ['It holds: the signature fits, and the fixes give the same milliseconds.']
      : problems.map((problem) => `It does not hold. ${problem}`)),
  ].join('\n');
}

function describeSteps(checked: CheckedLap): string[] {
  const sectors = checked.sectorTimesMs.map((ms) => (ms === null ? '—' : (ms / 1000).toFixed(3)));
  return [
    `Fixes      ${checked.fixCount}, ${checked.fixesOutside} of them before the start or after the end`,
    `Start      ${describeCrossing(checked.start)}`,
    `End        ${describeCrossing(checked.end)}`,
    `Lap time   ${formatLapTime(checked.lapTimeMs)}, ± ${checked.uncertaintyMs} ms`,
    ...(sectors.length === 0 ? [] : [`Sectors    ${sectors.join('  ')}`]),
  ];
}

function describeCrossing({
  fixIndex,
  afterFixMs,
  intervalMs,
  speedMetersPerSecond,
}: CheckedCrossing): string {
  const [after, interval] = [afterFixMs, intervalMs].map((ms) => ms.toFixed(1));
  return `${after} of ${interval} ms after fix ${fixIndex + 1}, at ${(speedMetersPerSecond * 3.6).toFixed(0)} km/h`;
}
