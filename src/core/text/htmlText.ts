/** Elements of HTML. Another name in angle brackets is a placeholder or a type: "<account id>", "List<String>". */
const ELEMENTS = new Set(
  (
    "a abbr acronym address area article aside audio b base basefont bdi bdo big blockquote body br button canvas caption " +
    "center cite code col colgroup data datalist dd del details dfn dialog dir div dl dt em embed fieldset figcaption " +
    "figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe img input ins kbd label " +
    "legend li link main map mark math menu meta meter nav nobr noscript object ol optgroup option output p param picture " +
    "pre progress q rp rt ruby s samp script search section select small source span strike strong style sub summary sup " +
    "svg table tbody td template textarea tfoot th thead time title tr track tt u ul var video wbr"
  ).split(" "),
);
/** What stands in these is no text. */
const UNSHOWN = new Set("script style template head title svg math iframe object".split(" "));
/** These begin and end a line. */
const LINES = new Set(
  (
    "address article aside body caption center dd details dialog dir div dl dt fieldset figcaption figure footer form " +
    "header hgroup html legend main menu nav section summary table tbody tfoot thead tr"
  ).split(" "),
);
/** These have an empty line before and after them. */
const PARAGRAPHS = new Set("blockquote h1 h2 h3 h4 h5 h6 hr p pre".split(" "));

/** The names of the characters from 160 on, in order. */
const LATIN =
  "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para " +
  "middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave " +
  "Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc " +
  "Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc " +
  "iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml";
/** Others that people's editors write. */
const NAMED =
  'amp& AMP& lt< LT< gt> GT> quot" QUOT" apos\' ndash– mdash— lsquo‘ rsquo’ sbquo‚ ldquo“ rdquo” bdquo„ hellip… bull• ' +
  "lsaquo‹ rsaquo› trade™ dagger† permil‰ prime′ Prime″ euro€ larr← uarr↑ rarr→ darr↓ harr↔ rArr⇒ minus− infin∞ asymp≈ " +
  "ne≠ le≤ ge≥ check✓ cross✗ OElig\u0152 oelig\u0153 Scaron\u0160 scaron\u0161 shy";
const ENTITIES = new Map<string, string>([
  ...LATIN.split(" ").map((name, at) => [name, String.fromCodePoint(160 + at)] as const),
  ...NAMED.split(" ").map((one) => {
    const [name = ""] = /^[A-Za-z]+/.exec(one) ?? [];
    return [name, one.slice(name.length)] as const;
  }),
  ["ensp", " "],
  ["emsp", " "],
  ["thinsp", " "],
]);
/** These count without a semicolon, too. */
const BARE_ENTITIES = new Set(["amp", "AMP", "lt", "LT", "gt", "GT", "quot", "QUOT", "nbsp"]);
const ENTITY = /&(?:#(?:[xX]([0-9a-fA-F]+)|(\d+))|([A-Za-z][A-Za-z0-9]*))(;?)/g;

/** Deeper lists stand no further to the right. */
const MAX_INDENT = 8;

/**
 * What a person reads of HTML, or of plain text, which is HTML without tags: `<br>` and the ends of blocks as line breaks,
 * items with "•" or their number, cells of a table with " · " between, links with the address that they lead to,
 * entities as their characters, once. What stands in scripts and styles is left out, and so is every tag; an angle bracket
 * that begins no element stays. The text is as foreign as the HTML was: what is shown of it goes through `foreign`.
 */
export function textOfHtml(html: string): string {
  const page = new TagReader(html);
  const text = new TextWriter();
  let begun = 0;
  for (let at = 0; ;) {
    const open = html.indexOf("<", at);
    const tag = open < 0 ? undefined : page.tagAt(open);
    at = tag?.end ?? open + 1;
    if (!tag && open >= 0) continue;
    text.words(html.slice(begun, tag ? open : html.length));
    if (!tag) return text.end();
    applyTag(text, tag);
    begun = at;
  }
}

interface Tag {
  /** In lower case; empty for a comment and for what is left out with its content. */
  readonly name: string;
  readonly isClosing: boolean;
  readonly href: string;
  readonly alt: string;
  /** Where the text goes on. */
  readonly end: number;
}

/** Finds tags as browsers do, each character looked at a bounded number of times. */
class TagReader {
  readonly #html: string;
  readonly #lastOpen: number;
  readonly #lastClose: number;
  /** A quotation mark without its partner was met: from there on none counts. */
  #ignoresQuotes = false;
  /** Elements of which no end tag follows. */
  readonly #endless = new Set<string>();
  /** Names of elements that HTML does not have, and that were used as elements. */
  readonly #ofOthers = new Set<string>();

  constructor(html: string) {
    this.#html = html;
    this.#lastOpen = html.lastIndexOf("<");
    this.#lastClose = html.lastIndexOf(">");
  }

  /** The tag, comment or unshown element that begins there, if one does. */
  tagAt(at: number): Tag | undefined {
    const html = this.#html;
    // A tag that is cut off can only be the last one.
    if (this.#lastClose < at && at !== this.#lastOpen && html.charAt(at + 1) !== "!") return undefined;
    if (html.startsWith("<!--", at)) return unshown(this.#after("-->", at + 4));
    const start = html.slice(at, at + 50);
    if (/^<[!?][A-Za-z[]/.test(start))
      return this.#lastClose > at ? unshown(this.#after(">", at)) : undefined;
    const begin = /^<(\/?)([A-Za-z][A-Za-z0-9:-]{0,40})(?=[\s/><]|$)/.exec(start);
    if (!begin) return undefined;
    const [whole, slash, written = ""] = begin;
    const name = written.toLowerCase();
    const attributes = this.#attributes(at, at + whole.length);
    if (!attributes || !this.#isElement(name, attributes.values.size > 0)) return undefined;
    const { values, end } = attributes;
    const tag = {
      name,
      isClosing: slash === "/",
      href: values.get("href") ?? "",
      alt: values.get("alt") ?? "",
      end,
    };
    return UNSHOWN.has(name) && !tag.isClosing ? this.#unshownElement(tag) : tag;
  }

  /** Of HTML's own elements, or one of others' making, such as `<o:p>` and `<x-box class="y">`. */
  #isElement(name: string, hasAttributes: boolean): boolean {
    if (ELEMENTS.has(name) || this.#ofOthers.has(name)) return true;
    const isOfOthers = hasAttributes || /^[a-z]+:[a-z]+$/.test(name);
    if (isOfOthers) this.#ofOthers.add(name);
    return isOfOthers;
  }

  /** The values of attributes from there on, and where the tag ends; `undefined` where it does not. */
  #attributes(at: number, from: number): { values: ReadonlyMap<string, string>; end: number } | undefined {
    const html = this.#html;
    const values = new Map<string, string>();
    if (this.#lastClose < at) {
      // Cut off at the end, or no tag at all.
      const isCut = /^(?:\s*\/?\s*|\s+[\w-]+\s*=.*)$/s.test(html.slice(from));
      return isCut ? { values, end: html.length } : undefined;
    }
    for (let position = from; ;) {
      const stop = this.#search(/[>=]/g, position);
      if (stop < 0) break;
      if (html.charAt(stop) === ">") return { values, end: stop + 1 };
      const name = /[^\s/"'=]+\s*$/.exec(html.slice(Math.max(position, stop - 50), stop))?.[0].trim() ?? "";
      const value = this.#search(/\S/g, stop + 1);
      const quote = html.charAt(value);
      const isQuoted = !this.#ignoresQuotes && (quote === '"' || quote === "'");
      const end = isQuoted ? html.indexOf(quote, value + 1) : this.#search(/[\s>]/g, stop + 1);
      if (value < 0 || end < 0) break;
      if (name !== "") values.set(name.toLowerCase(), html.slice(isQuoted ? value + 1 : value, end));
      position = isQuoted ? end + 1 : end;
    }
    this.#ignoresQuotes = true;
    return { values, end: this.#after(">", from) };
  }

  #unshownElement(tag: Tag): Tag {
    const { name, end } = tag;
    const close = this.#endless.has(name) ? -1 : this.#search(new RegExp(`</${name}[\\s/>]`, "gi"), end);
    if (close >= 0) return unshown(this.#after(">", close));
    this.#endless.add(name);
    return name === "script" || name === "style" ? unshown(this.#html.length) : tag;
  }

  #search(pattern: RegExp, from: number): number {
    pattern.lastIndex = from;
    return pattern.exec(this.#html)?.index ?? -1;
  }

  #after(text: string, from: number): number {
    const at = this.#html.indexOf(text, from);
    return at < 0 ? this.#html.length : at + text.length;
  }
}

function unshown(end: number): Tag {
  return { name: "", isClosing: false, href: "", alt: "", end };
}

function applyTag(text: TextWriter, { name, isClosing, href, alt }: Tag): void {
  if (PARAGRAPHS.has(name)) text.paragraph();
  else if (LINES.has(name)) text.line();
  if (name === "pre") text.preformatted(!isClosing);
  else if (name === "ul" || name === "ol") text.list(isClosing ? undefined : name);
  else if (name === "li") text.item(!isClosing);
  else if (name === "td" || name === "th") text.cell(!isClosing);
  else if (name === "a") text.link(isClosing ? undefined : href);
  else if (name === "br" && !isClosing) text.lineBreak();
  else if (name === "img" && !isClosing) text.words(alt);
}

/** Puts words, lines and lists into a text without spaces that are not seen. */
class TextWriter {
  #text = "";
  /** What goes before the next word. */
  #breaks = 0;
  #space = "";
  #marker = "";
  /** How many line breaks of the source are those of tags, written once more. */
  #swallowed = 0;
  #preformatted = 0;
  /** The numbers of the items so far, from the outermost list on; `undefined` for a list without numbers. */
  readonly #lists: (number | undefined)[] = [];
  #link: { readonly address: string; label: string } | undefined;

  words(html: string): void {
    if (html === "") return;
    for (const [part] of decoded(html).matchAll(/\r\n?|\n|[ \t\f\v\u00a0]+|[^ \t\f\v\u00a0\r\n]+/g)) {
      if (/^[\r\n]/.test(part)) this.#sourceBreak();
      else if (/^[ \t\f\v\u00a0]/.test(part)) this.#space = this.#preformatted > 0 ? part : " ";
      else this.#word(part);
    }
  }

  paragraph(): void {
    if (this.#lists.length > 0 || this.#marker !== "") this.line();
    else this.#breakAt(2);
  }

  line(): void {
    this.#breakAt(1);
  }

  lineBreak(): void {
    this.#breaks = Math.min(this.#breaks + 1, 2);
    this.#space = "";
    this.#swallowed = 1;
  }

  preformatted(begins: boolean): void {
    this.#preformatted = Math.max(0, this.#preformatted + (begins ? 1 : -1));
  }

  /** A list begins, or the innermost one ends. */
  list(kind: "ul" | "ol" | undefined): void {
    this.line();
    this.#marker = "";
    if (kind === undefined) this.#lists.pop();
    else this.#lists.push(kind === "ol" ? 0 : undefined);
  }

  item(begins: boolean): void {
    this.line();
    this.#marker = "";
    if (!begins) return;
    const last = this.#lists.length - 1;
    const number = this.#lists[last];
    if (number !== undefined) this.#lists[last] = number + 1;
    const indent = "  ".repeat(Math.min(Math.max(0, last), MAX_INDENT));
    this.#marker = `${indent}${number === undefined ? "•" : `${number + 1}.`} `;
  }

  cell(begins: boolean): void {
    this.#swallowed = Infinity;
    if (begins && this.#breaks === 0) this.#space = " · ";
  }

  /** A link begins, or the one before ends. */
  link(href: string | undefined): void {
    this.#endLink();
    const address = href === undefined ? "" : webAddressOf(decoded(href).trim());
    if (address !== "") this.#link = { address, label: "" };
  }

  end(): string {
    this.#endLink();
    return this.#text;
  }

  #endLink(): void {
    const link = this.#link;
    if (!link) return;
    this.#link = undefined;
    const { address, label } = link;
    if (label === "") this.#word(address);
    else if (bare(label) !== bare(address)) this.#text += ` (${address.replace(/^mailto:/, "")})`;
  }

  #breakAt(breaks: number): void {
    this.#breaks = Math.max(this.#breaks, breaks);
    this.#space = "";
    this.#swallowed = Infinity;
  }

  #sourceBreak(): void {
    if (this.#swallowed > 0) this.#swallowed--;
    else this.#breaks = Math.min(this.#breaks + 1, 2);
    this.#space = "";
  }

  #word(word: string): void {
    const isFirst = this.#text === "";
    const indent = this.#preformatted > 0 ? this.#space : "";
    const gap = isFirst ? "" : this.#breaks > 0 ? "\n".repeat(this.#breaks) + indent : this.#space;
    const marker = isFirst ? this.#marker.trimStart() : this.#marker;
    const written = `${gap}${marker}${word}`;
    this.#text += written;
    if (this.#link) this.#link.label += written;
    this.#breaks = 0;
    this.#space = "";
    this.#marker = "";
    this.#swallowed = 0;
  }
}

/** An address that a link shows; empty for one that leads nowhere on the web. */
function webAddressOf(href: string): string {
  const url = URL.parse(href);
  return url && /^(?:https?|mailto):$/.test(url.protocol) ? url.href : "";
}

/** An address or a label as both would be written: without the scheme and a slash at the end. */
function bare(address: string): string {
  return address
    .trim()
    .toLowerCase()
    .replace(/^(?:https?:\/\/|mailto:)/, "")
    .replace(/\/$/, "");
}

/** A text with its entities as characters, decoded once; what is none stays. */
function decoded(html: string): string {
  if (!html.includes("&")) return html;
  return html.replace(ENTITY, (whole, hex?: string, decimal?: string, name?: string, semicolon?: string) => {
    if (name === undefined) return character(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16));
    return (semicolon === ";" || BARE_ENTITIES.has(name) ? ENTITIES.get(name) : undefined) ?? whole;
  });
}

/** A character by its number, those of Windows among the controls as browsers have it. */
function character(code: number): string {
  if (code >= 0x80 && code < 0xa0) return new TextDecoder("windows-1252").decode(Uint8Array.of(code));
  const isNone = code === 0 || code > 0x10ffff || (code >= 0xd800 && code < 0xe000);
  return isNone ? "\ufffd" : String.fromCodePoint(code);
}
