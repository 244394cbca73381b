import { createHash } from 'node:crypto';
import { canonicalJson } from '#contract/canonical-json.ts';
import { type ProofBundle, proofBundleSchema } from '#contract/lap-view/proof.ts';
import { ENGINE_VERSION } from '#engine/engine-version.ts';
import { formatLapTime } from '#engine/lap-time.ts';
import { type CheckedCrossing, type CheckedLap, timeProof } from '#engine/proof/time-proof.ts';
import { CommandError, parseCommandLine, readBytes, runLapFileCommand } from './lap-file-command.ts';
import { readKnownKeys } from './proof-keys.ts';
import { findDuplicateName, plainJson, plainText } from './untrusted-text.ts';
import { describeResults, isEventResults, verifyResults } from './verify-results.ts';
import {
  checkKey,
  describeVerdict,
  findSignatureProblems,
  type Found,
  type GivenKey,
  GOOD,
  problem,
  unknown,
} from './verify-signature.ts';

const USAGE = `Usage: npm run verify -- BUNDLE.json [--key KEY] [--known-keys FILE] [--file LAP_FILE] [--json]

Checks a proof of a lap time, or the results of an event, that were downloaded from Pitboard, without asking a server: the signature, and the
lap time, timed again from its fixes, or the results, which follow from the runs. The key of the server is given with --key, or known by its host: FILE, else ~/.pitboard-known-keys, has a line "HOST KEY" for each
server, with the key that GET /api/proof-key of that server answers. --file is the lap file, where you have it.
The exit code is 0 where all of it holds, 2 where anything does not, and 1 where it cannot be checked, as with a key that is not known.`;

const EXIT_DOES_NOT_HOLD = 2;
const EXIT_UNKNOWN = 1;

type Wish = {
  path: string;
  key: string | undefined;
  knownKeys: string | undefined;
  lapFile: string | undefined;
  isJson: boolean;
};

/**
 * The result of a check. The proof is valid if there are neither problems nor unknowns: a problem shows that it is false, an
 * unknown leaves that open.
 */
export type Verification = {
  bundle: ProofBundle;
  checked: CheckedLap | null;
  problems: string[];
  unknowns: string[];
};

/** Runs the command with these arguments, prints the result, and returns the exit code. */
export function verify(commandLine: string[]): number {
  let result = 0;
  const exitCode = runLapFileCommand(
    USAGE,
    () => readWish(commandLine),
    ({ path, key, knownKeys, lapFile, isJson }) => {
      const file = lapFile === undefined ? undefined : readBytes(lapFile);
      const known = key === undefined ? readKnownKeys(knownKeys) : undefined;
      const json = parseJson(path);
      if (file && isEventResults(json))
        throw new CommandError('--file belongs to the proof of a lap: results of an event name no lap file.');
      const given = { key, knownKeys: known, lapFile: file };
      const { problems, unknowns, program, people } = isEventResults(json)
        ? describeResults(verifyResults(json, given))
        : describeLap(verifyBundle(json, given));
      if (problems.length > 0) result = EXIT_DOES_NOT_HOLD;
      else if (unknowns.length > 0) result = EXIT_UNKNOWN;
      return isJson ? plainJson(program) : people;
    },
  );
  return result === 0 ? exitCode : result;
}

function describeLap(verification: Verification) {
  return { ...verification, program: forPrograms(verification), people: forPeople(verification) };
}

function readWish(commandLine: string[]): Wish | null {
  const others = {
    key: { type: 'string' },
    'known-keys': { type: 'string' },
    file: { type: 'string' },
  } as const;
  const { values, positionals } = parseCommandLine(commandLine, others);
  if (values.help === true) return null;
  const [path, ...more] = positionals;
  if (path === undefined || more.length > 0) throw new CommandError(`Give one bundle. ${USAGE}`);
  return {
    path,
    key: values.key,
    knownKeys: values['known-keys'],
    lapFile: values.file,
    isJson: values.json === true,
  };
}

function parseJson(path: string): unknown {
  const text = Buffer.from(readBytes(path)).toString('utf8');
  try {
    const json: unknown = JSON.parse(text);
    const twice = findDuplicateName(text);
    // Another reader may take the first of the two.
    if (twice !== null)
      throw new CommandError(`${path} has the name "${plainText(twice)}" twice in one object.`);
    return json;
  } catch (error) {
    if (error instanceof SyntaxError)
      throw new CommandError(`${path} is no JSON, so it is no proof of a lap.`, { cause: error });
    throw error;
  }
}

/**
 * Checks a bundle with the given public key, else with the known keys of its host.
 * @throws CommandError where it is no such bundle
 */
export function verifyBundle(
  json: unknown,
  { key, knownKeys, lapFile }: GivenKey & { lapFile?: Uint8Array | undefined } = {},
): Verification {
  const parsed = proofBundleSchema.safeParse(json);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const place = plainText(issue?.path.join('.') ?? '') || 'it';
    throw new CommandError(
      `This is no proof of a lap: ${place} does not fit (${plainText(issue?.message ?? '')}).`,
    );
  }
  const bundle = parsed.data;
  const checked = timeProof(bundle.measurement);
  const ofKey = checkKey(bundle, { key, knownKeys });
  const ofTime = checkTime(bundle, checked);
  const isOtherFile =
    lapFile !== undefined && createHash('sha256').update(lapFile).digest('hex') !== bundle.lapFile.sha256;
  const problems = [
    ...findSignatureProblems(json, bundle),
    ...ofKey.problems,
    ...ofTime.problems,
    ...(isOtherFile ? ['The lap file is another one: its SHA-256 differs.'] : []),
  ];
  return { bundle, checked, problems, unknowns: [...ofKey.unknowns, ...ofTime.unknowns] };
}

/** Times the lap again. Another engine may come to other times, which says nothing against the bundle. */
function checkTime({ result, engineVersion }: ProofBundle, checked: CheckedLap | null): Found {
  if (checked !== null) {
    const { lapTimeMs, uncertaintyMs, sectorTimesMs } = checked;
    if (canonicalJson({ lapTimeMs, uncertaintyMs, sectorTimesMs }) === canonicalJson(result)) return GOOD;
  }
  if (engineVersion !== ENGINE_VERSION)
    return unknown(
      `It was made by engine ${plainText(engineVersion)}, and this is engine ${ENGINE_VERSION}, which comes to another time. Check it with the version of Pitboard that made it.`,
    );
  if (checked === null) return problem('Its fixes do not cross the line at both ends.');
  const { lapTimeMs, uncertaintyMs } = checked;
  return problem(
    `Its fixes give ${formatLapTime(lapTimeMs)}, ± ${uncertaintyMs} ms, and not the times that it states.`,
  );
}

function forPrograms({ bundle, checked, problems, unknowns }: Verification) {
  const { site, trackId, lapId, userName, engineVersion, lapFile, result, signature } = bundle;
  return {
    holds: problems.length + unknowns.length === 0,
    problems,
    unknowns,
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

function forPeople({ bundle, checked, problems, unknowns }: Verification): string {
  const { site, trackName, userName, engineVersion, lapFile, result, signature } = bundle;
  const [by, at, from] = [userName, trackName, site].map(plainText);
  return [
    `${formatLapTime(result.lapTimeMs)} by ${by} at ${at}, from ${from}`,
    '',
    ...(checked === null ? [] : describeSteps(checked)),
    `Driver     ${findDriverId(bundle) ?? 'without an id: names alone may be alike'}`,
    `Engine     ${plainText(engineVersion)}${engineVersion === ENGINE_VERSION ? '' : ` (this is ${ENGINE_VERSION})`}`,
    `Lap file   ${plainText(lapFile.format)}, SHA-256 ${plainText(lapFile.sha256)}`,
    `Key        ${plainText(signature.publicKey)}`,
    '',
    ...describeVerdict(
      { problems, unknowns },
      'a key that is known signed it, and the fixes give the same milliseconds',
    ),
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
