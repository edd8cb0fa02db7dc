// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {ERC1155} from "@openzeppelin/contracts/token/ERC1155/ERC1155.sol";
import {ERC1155Burnable} from "@openzeppelin/contracts/token/ERC1155/extensions/ERC1155Burnable.sol";

/// An ERC-1155 token that emits every kind of event that the service knows. Anybody may mint: it is there
/// to produce logs on development nodes.
contract Collectibles is ERC1155Burnable, Ownable {
    event Minted(
        address indexed creator,
        address indexed initialOwner,
        string _bucketHash,
        uint256 _tokenId,
        uint256 _quantity
    );
    event MintedBatch(
        address indexed token,
        address indexed owner,
        uint256[] _tokenIds,
        uint256[] _quantities
    );

    constructor() ERC1155("") Ownable(msg.sender) {}

    /// Emits TransferSingle and Minted, the sender being the creator.
    function mint(address initialOwner, uint256 tokenId, uint256 quantity, string calldata bucketHash) external {
        _mint(initialOwner, tokenId, quantity, "");
        emit Minted(msg.sender, initialOwner, bucketHash, tokenId, quantity);
    }

    /// Emits TransferBatch (TransferSingle for a batch of one) and MintedBatch for this token.
    function mintBatch(address owner, uint256[] calldata tokenIds, uint256[] calldata quantities) external {
        _mintBatch(owner, tokenIds, quantities, "");
        emit MintedBatch(address(this), owner, tokenIds, quantities);
    }

    /// Emits MintedBatch only, for another token: its emitter and its `token` differ.
    function announceBatch(
        address token,
        address owner,
        uint256[] calldata tokenIds,
        uint256[] calldata quantities
    ) external {
        emit MintedBatch(token, owner, tokenIds, quantities);
    }
}
